import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { textWidth } from "../table.ts";
import { breakText, wrapBehind, wrapText } from "./wrap-text.ts";

describe("wrapText", () => {
  it("breaks at spaces, and inside a word only where it is longer than a line", () => {
    expect(wrapText("a short line", 20)).toEqual(["a short line"]);
    expect(wrapText("one two three four", 9)).toEqual(["one two", "three", "four"]);
    expect(wrapText("see abcdefghijkl", 5)).toEqual(["see", "abcde", "fghij", "kl"]);
    expect(wrapText("漢字漢字", 5)).toEqual(["漢字", "漢字"]);
    expect(wrapText("", 5)).toEqual([""]);
  });

  it("indents by the mark", () => {
    expect(wrapBehind("note: ", "one two three", 13)).toEqual(["note: one two", "      three"]);
  });
});

describe("breakText", () => {
  it("keeps every character and fits", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme", maxLength: 60 }),
        fc.integer({ min: 10, max: 20 }),
        (text, columns) => {
          const lines = breakText(text, columns);
          expect(lines.join("")).toBe(text);
          expect(lines.filter((line) => textWidth(line) > columns)).toEqual([]);
        },
      ),
    );
  });
});
