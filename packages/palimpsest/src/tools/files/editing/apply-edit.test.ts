import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { markOf, type TextEncoding } from "../reading/text-encoding.ts";
import { applyEdit } from "./apply-edit.ts";
import { editableText } from "./find-locations.ts";

const lineEnd = fc.constantFrom("\n", "\r\n");
const piece = fc.oneof(lineEnd, fc.constantFrom("a", "ä", "🙂", " ", "\t", "\r", "wort"));
const text = fc.array(piece, { maxLength: 30 }).map((parts) => parts.join(""));
const encoding = fc.constantFrom<TextEncoding>("utf-8", "utf-8-bom", "utf-16le", "utf-16be");

describe("applyEdit", () => {
  it("leaves every byte outside the change as it is, whatever the line ends are", () => {
    fc.assert(
      fc.property(text, text, text, encoding, (before, behind, fresh, code) => {
        const marked = "«old\nold»";
        const inFile = "«old\r\nold»";
        const file = editableText(markOf(code), code);
        const bytes = (part: string) =>
          Buffer.from(file.toBytes(file.toUnits(part))).subarray(markOf(code).length);
        const whole = editableText(file.toBytes(file.toUnits(before + inFile + behind)), code);
        const applied = applyEdit(whole, whole.units, { old_string: marked, new_string: `${fresh}!` });
        expect(applied.ok).toBe(true);
        if (!applied.ok) return;
        const result = Buffer.from(whole.toBytes(applied.value.units));
        const [start, end] = [Buffer.concat([markOf(code), bytes(before)]), bytes(behind)];
        expect(result.subarray(0, start.length)).toEqual(start);
        expect(result.subarray(result.length - end.length)).toEqual(end);
        const middle = whole.toText(applied.value.units).slice(before.length, -behind.length || undefined);
        expect(middle.replaceAll("\r\n", "\n")).toBe(`${fresh}!`.replaceAll("\r\n", "\n"));
      }),
    );
  });

  it("gives back the bytes of any file, text or not", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), encoding, (bytes, code) => {
        const all = Buffer.concat([markOf(code), bytes]);
        const file = editableText(all, code);
        expect(Buffer.from(file.toBytes(file.units))).toEqual(all);
      }),
    );
  });

  it("is undone by the edit the other way round", () => {
    fc.assert(
      fc.property(text, text, encoding, (before, behind, code) => {
        const empty = editableText(markOf(code), code);
        const units = empty.toUnits(`${before}«\r\none»${behind}`);
        const there = applyEdit(empty, units, { old_string: "«\none»", new_string: "«\ntwo\nthree»" });
        if (!there.ok) throw there.error;
        const back = applyEdit(empty, there.value.units, {
          old_string: "«\ntwo\nthree»",
          new_string: "«\none»",
        });
        expect(back).toMatchObject({ ok: true, value: { units } });
      }),
    );
  });
});
