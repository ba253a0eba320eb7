import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rowTops, rowWindow, scrollToRow } from "./row-window.ts";

const even = (count: number) => rowTops(count, () => 20);

describe("rowWindow", () => {
  it("keeps few of many rows", () => {
    expect(rowWindow(even(10_000), 100_000, 400)).toEqual({
      first: 4992,
      end: 5029,
      top: 99_840,
      height: 200_000,
    });
  });

  it("has no rows where there are none", () => {
    expect(rowWindow(even(0), 0, 400)).toEqual({ first: 0, end: 0, top: 0, height: 0 });
  });

  it("has every row that can be seen", () => {
    const heights = fc.array(fc.integer({ min: 1, max: 300 }), { minLength: 1, maxLength: 80 });
    fc.assert(
      fc.property(heights, fc.nat(9000), fc.integer({ min: 1, max: 900 }), (list, scrolled, visible) => {
        const tops = rowTops(list.length, (row) => list[row] ?? 0);
        const { first, end } = rowWindow(tops, scrolled, visible);
        const seen = list.flatMap((_, row) =>
          tops[row]! < scrolled + visible && tops[row + 1]! > scrolled ? [row] : [],
        );
        expect(seen.filter((row) => row < first || row >= end)).toEqual([]);
      }),
    );
  });
});

describe("scrollToRow", () => {
  it("moves as little as shows the row and two beside it", () => {
    const tops = even(100);
    expect([2, 10, 50].map((row) => scrollToRow(tops, row, 100, 200))).toEqual([0, 100, 860]);
  });
});
