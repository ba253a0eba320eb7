import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { cellCounts } from "./context-picture.ts";

describe("cellCounts", () => {
  it.each([
    [
      [1, 1],
      [5, 5],
    ],
    [
      [1, 1, 1],
      [4, 3, 3],
    ],
    [
      [999, 1],
      [9, 1],
    ],
    [
      [0, 5, 0],
      [0, 10, 0],
    ],
    [
      [0, 0],
      [0, 0],
    ],
    [[], []],
    [
      [1_000, 1, 1, 1, 1, 1, 1, 1, 1, 1],
      [1, 1, 1, 1, 1, 1, 1, 1, 1, 1],
    ],
  ])("divides 10 cells among %j as %j", (amounts, counts) => {
    expect(cellCounts(amounts, 10)).toEqual(counts);
  });

  it("gives out all cells, at least one to each, and never more than its part and one", () => {
    fc.assert(
      fc.property(fc.array(fc.nat(1_000_000), { minLength: 1, maxLength: 16 }), (amounts) => {
        fc.pre(amounts.some((amount) => amount > 0));
        const whole = amounts.reduce((sum, amount) => sum + amount, 0);
        const counts = cellCounts(amounts, 200);
        expect(counts.reduce((sum, count) => sum + count, 0)).toBe(200);
        for (const [index, amount] of amounts.entries()) {
          expect(Number(counts[index]! > 0)).toBe(Number(amount > 0));
          expect(counts[index]!).toBeLessThanOrEqual((amount / whole) * 200 + 1);
        }
      }),
    );
  });
});
