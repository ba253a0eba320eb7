import { describe, expect, it } from "vitest";
import { modelRow, ratioRow, requestCost } from "./price-row.ts";

const { prices } = ratioRow(0.1);

describe("what a request costs", () => {
  it("is read, written, uncached and output tokens, each at its price", () => {
    const use = { read: 1_000, written: 100, uncached: 10, writtenForHour: 0 };
    expect(requestCost(use, 20, prices)).toBeCloseTo(100 + 125 + 10 + 100);
  });

  it("has what was written for an hour at the price of that, and reads it at the same price", () => {
    const use = { read: 1_000, written: 100, uncached: 0, writtenForHour: 60 };
    expect(requestCost(use, 0, prices)).toBeCloseTo(100 + 40 * 1.25 + 60 * 2);
  });
});

describe("the row of a model", () => {
  it("is the same for an alias and for the dated name", () => {
    const rows = ["claude-opus-4-5", "claude-opus-4-5-20251101", "anthropic/claude-opus-4.5"].map(modelRow);
    expect(rows.map((row) => row?.prices)).toEqual(rows.map(() => rows[0]?.prices));
    expect(rows[0]).not.toBeNull();
  });
});
