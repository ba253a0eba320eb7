import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boundedText } from "./ledger-parts.ts";

describe("boundedText", () => {
  it("leaves a text alone that is short enough", () => {
    expect(boundedText("0123456789", 10)).toBe("0123456789");
  });

  it("keeps beginning and end of a longer one", () => {
    expect(boundedText("0123456789x", 10)).toBe("01234\n[… 1 characters left out …]\n6789x");
    expect(boundedText("0123456789", 5)).toBe("01\n[… 6 characters left out …]\n89");
  });

  it("cuts no surrogate pair", () => {
    expect(boundedText("012😀456😀890", 8)).toBe("012\n[… 7 characters left out …]\n890");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), fc.nat(20), (text, max) => {
        expect(boundedText(text, max).isWellFormed()).toBe(true);
      }),
    );
  });
});
