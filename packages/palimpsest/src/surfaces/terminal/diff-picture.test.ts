import { stripVTControlCharacters } from "node:util";
import fc from "fast-check";
import stringWidth from "string-width";
import { describe, expect, it } from "vitest";
import { anyWidth, shownWords } from "../../../../../test/support/terminal-texts.ts";
import { diffLines } from "./diff-lines.ts";
import { diffPicture } from "./diff-picture.ts";
import { createStyle } from "./style.ts";

const plain = createStyle(false);
const coloured = createStyle(true);
const numbered = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join("\n");

describe("diffPicture", () => {
  it("shows numbers, signs and what lies around a change, and says what it leaves out", () => {
    const changed = numbered.replace("line 12", "line twelve").replace("line 20", "line 20\nend");
    expect(diffPicture(diffLines(numbered, changed), { columns: 40, style: plain, contextLines: 1 })).toEqual(
      [
        "   ⋯ 10 lines",
        "11   line 11",
        "12 - line 12",
        "12 + line twelve",
        "13   line 13",
        "   ⋯ 6 lines",
        "20   line 20",
        "21 + end",
      ],
    );
  });

  it("paints what went and what came, and sets off the words that changed", () => {
    const { bold, dim, green, red } = coloured;
    expect(diffPicture(diffLines("a price of 5", "a price of 6"), { columns: 40, style: coloured })).toEqual([
      `${dim("1 ")}${red("- ")}${red("a price of ")}${bold(red("5"))}`,
      `${dim("1 ")}${green("+ ")}${green("a price of ")}${bold(green("6"))}`,
    ]);
  });

  it("breaks long lines behind their sign, and leaves numbers out where there is no room", () => {
    const rows = diffLines("", "abcdefghijklmnop");
    expect(diffPicture(rows, { columns: 10, style: plain })).toEqual(["+ abcdefgh", "  ijklmnop"]);
    expect(diffPicture(rows, { columns: 2, style: plain }).join("")).toBe("abcdefghijklmnop");
  });

  it("fits any width, and obeys nothing that is in the texts", () => {
    const text = fc.oneof(
      fc.array(shownWords, { maxLength: 6 }).map((lines) => lines.join("\n")),
      fc.string({ unit: "binary" }),
    );
    fc.assert(
      fc.property(text, text, fc.integer({ min: 2, max: 200 }), (before, after, columns) => {
        for (const line of diffPicture(diffLines(before, after), { columns, style: coloured })) {
          const shown = stripVTControlCharacters(line);
          expect(shown).not.toMatch(/\p{Cc}/u);
          expect(stringWidth(shown)).toBeLessThanOrEqual(columns);
        }
      }),
    );
    fc.assert(
      fc.property(anyWidth, (columns) => {
        expect(
          diffPicture(diffLines("same\n\nsame", "same\n\nsame"), { columns, style: plain }),
        ).toHaveLength(1);
      }),
    );
  });
});
