import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editByKey } from "./edit-by-key.ts";
import { type Editor, editorOf, emptyEditor, toLeft, toRight } from "./editor.ts";
import type { Key, NamedKey } from "./pager.ts";

const press = (editor: Editor, ...names: readonly NamedKey[]) =>
  names.reduce((now, name) => editByKey(now, { name } as Key) ?? now, editor);

const boundaries = (text: string) =>
  new Set([...[...new Intl.Segmenter().segment(text)].map(({ index }) => index), text.length]);

describe("an editor", () => {
  it("moves and deletes by what people take for a character", () => {
    const editor = editorOf("a👩‍👩‍👧é🇨🇭");
    expect(press(editor, "backspace")).toEqual(editorOf("a👩‍👩‍👧é"));
    expect(press(editor, "left", "left", "left", "delete").text).toBe("aé🇨🇭");
    expect(press(editor, "home", "right").cursor).toBe(1);
  });

  it("knows words and lines", () => {
    const editor = editorOf("one two\nthree");
    expect(press(editor, "delete-word").text).toBe("one two\n");
    expect(press(editor, "up").cursor).toBe(5);
    expect(press(editor, "up", "ctrl-k").text).toBe("one t\nthree");
    expect(press(editor, "ctrl-u").text).toBe("one two\n");
    expect(press(editor, "up", "word-left", "word-left").cursor).toBe(0);
    expect(editByKey(emptyEditor, { name: "up" })).toBe(null);
    expect(editByKey(editor, { name: "down" })).toBe(null);
  });

  it("stands between graphemes after any keys", () => {
    const names: readonly NamedKey[] = [
      "left",
      "right",
      "up",
      "down",
      "home",
      "end",
      "backspace",
      "delete",
      "newline",
    ];
    const text = fc.string({ unit: "grapheme", maxLength: 40 });
    fc.assert(
      fc.property(text, fc.array(fc.constantFrom(...names)), (start, keys) => {
        let editor = editorOf(start);
        for (const name of keys) {
          editor = editByKey(editor, { name } as Key) ?? editor;
          expect(boundaries(editor.text).has(editor.cursor)).toBe(true);
        }
        expect(toLeft({ ...editor, cursor: toRight(editor) })).toBeLessThanOrEqual(editor.text.length);
      }),
    );
  });
});
