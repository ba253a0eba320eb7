import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createWholeLines, createWholeText } from "./found-file.ts";

describe("whole lines", () => {
  it("lose nothing, and end with a line's end, however the text comes in pieces", () => {
    const piece = fc.array(fc.constantFrom("a", "\n", "🙂"), { maxLength: 6 }).map((parts) => parts.join(""));
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const lines = createWholeLines(1_000);
        const given = pieces.map((one) => lines.push(one));
        expect(given.every((one) => one === "" || one.endsWith("\n"))).toBe(true);
        expect(given.join("") + lines.end()).toBe(pieces.join(""));
        expect(lines.cutLines).toBe(0);
      }),
    );
  });

  it("keep the beginning of a line that is too long, and all that follows", () => {
    const lines = createWholeLines(5);
    expect(["ab", "cdefgh", "ijk", "l\nnext\nla"].map((piece) => lines.push(piece))).toEqual([
      "",
      "",
      "",
      "abcde\nnext\n",
    ]);
    expect([lines.end(), lines.cutLines]).toEqual(["la", 1]);
  });

  it("are held back for a search across them, up to a size", () => {
    const text = createWholeText(5);
    expect([text.push("ab\n"), text.push("c"), text.end(), text.cutLines]).toEqual(["", "", "ab\nc", 0]);
    expect([text.push("de"), text.end(), text.cutLines]).toEqual(["", "", 1]);
    expect([text.push("f"), text.end()]).toEqual(["", ""]);
  });
});
