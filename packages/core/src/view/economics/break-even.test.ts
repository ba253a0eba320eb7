import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editSaving, requestsToBreakEven } from "./break-even.ts";

const rates = { cacheWrite: 6.25, cacheRead: 0.5 };

describe("break-even of an edit", () => {
  it("is the formula's, on an example worked by hand", () => {
    const edit = { cleared: 40_000, stays: 1_000, behind: 25_000 };
    expect(requestsToBreakEven(edit, rates)).toBeCloseTo((11.5 * 26_000) / 39_000, 10);
  });

  it("is at once where nothing is behind, and never where nothing is taken out", () => {
    expect(requestsToBreakEven({ cleared: 10, stays: 0, behind: 0 }, rates)).toBe(0);
    expect(requestsToBreakEven({ cleared: 10, stays: 10, behind: 5 }, rates)).toBe(Number.POSITIVE_INFINITY);
    expect(requestsToBreakEven({ cleared: 9, stays: 1, behind: 5 }, { cacheWrite: 1, cacheRead: 0 })).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  it("is where the saving changes its sign", () => {
    const tokens = fc.integer({ min: 1, max: 1_000_000 });
    fc.assert(
      fc.property(tokens, tokens, fc.nat({ max: 1_000_000 }), (taken, stays, behind) => {
        const edit = { cleared: taken + stays, stays, behind };
        const requests = requestsToBreakEven(edit, rates);
        expect(editSaving(edit, rates, requests * 1.001 + 1e-6)).toBeGreaterThan(0);
        expect(editSaving(edit, rates, requests * 0.999)).toBeLessThan(1e-3);
      }),
      { numRuns: 1000 },
    );
  });
});
