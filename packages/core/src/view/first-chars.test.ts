import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { firstChars } from "./quote-foreign.ts";

describe("firstChars", () => {
  it("is the longest beginning of whole code points", () => {
    const text = fc.string({ unit: "binary" }).map((any) => any.toWellFormed());
    fc.assert(
      fc.property(text, fc.integer({ min: -2, max: 40 }), (whole, maxChars) => {
        const first = firstChars(whole, maxChars);
        expect(whole.startsWith(first)).toBe(true);
        expect(first.isWellFormed()).toBe(true);
        expect(first.length).toBeLessThanOrEqual(Math.max(0, maxChars));
        expect(first.length).toBeGreaterThanOrEqual(Math.min(whole.length, maxChars - 1));
      }),
    );
  });
});
