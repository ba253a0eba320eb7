import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { anyWidth, painted, shownWords } from "../../../../../test/support/terminal-texts.ts";
import { escapeTerminal } from "./escape-terminal.ts";
import { cutText, cutTextStart, padText } from "./text-width.ts";

const family = "👩‍👩‍👧";

describe("cutText", () => {
  it("counts wide characters as two columns and never cuts one in half", () => {
    expect(cutText("日本語テキスト", 8)).toBe("日本語…");
    expect(cutText("日本語テキスト", 7)).toBe("日本語…");
    expect(cutText(family.repeat(3), 5)).toBe(`${family}${family}…`);
    expect(cutText("plain text", 7)).toBe("plain…");
    expect(cutText("fits", 4)).toBe("fits");
    expect(padText("日本", 6, "right")).toBe("  日本");
  });

  it("keeps the end of a path, and the ends of colours", () => {
    expect(cutTextStart("/home/ada/notes.md", 9)).toBe("…notes.md");
    expect(cutTextStart("/家/日本語.md", 7)).toBe("…語.md");
    expect(cutText("\u001b[31mred and more\u001b[39m", 8)).toBe("\u001b[31mred and…\u001b[39m");
  });

  it("never gives more columns than asked for, and keeps what it shows in order", () => {
    fc.assert(
      fc.property(shownWords, anyWidth, (text, columns) => {
        const cut = cutText(text, columns);
        const end = cutTextStart(text, columns);
        expect(Math.max(stringWidth(cut), stringWidth(end))).toBeLessThanOrEqual(columns);
        expect(cut).not.toMatch(/ …$/);
        if (stringWidth(text) <= columns) expect([cut, end]).toEqual([text, text]);
        else {
          expect(text.startsWith(cut.slice(0, -1))).toBe(true);
          expect(text.endsWith(end.slice(1))).toBe(true);
        }
      }),
    );
  });

  it("ends every colour that it begins, however they lie in each other", () => {
    fc.assert(
      fc.property(painted, anyWidth, ({ text, plain }, columns) => {
        const cut = cutText(text, columns);
        expect(stripVTControlCharacters(cut)).toBe(cutText(plain, columns));
        expect(openCodes(cut)).toEqual([]);
      }),
    );
  });

  it("bears anything that was made harmless", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), anyWidth, (text, columns) => {
        expect(stringWidth(cutText(escapeTerminal(text), columns))).toBeLessThanOrEqual(columns);
      }),
    );
  });
});

/** The codes for what is still in force at the end of a text. */
function openCodes(text: string): readonly string[] {
  const open = new Set<string>();
  for (const [, code = ""] of text.matchAll(/\p{Cc}\[(\d+)m/gu)) {
    if (code === "39") for (const colour of ["31", "36"]) open.delete(colour);
    else if (code === "22") open.delete("1");
    else open.add(code);
  }
  return [...open];
}
