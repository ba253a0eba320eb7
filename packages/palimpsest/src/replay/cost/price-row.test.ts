import { describe, expect, it } from "vitest";
import { ratioRow, requestCost } from "./price-row.ts";

const { prices } = ratioRow(0.1);

describe("what a request costs", () => {
  it("is read, written, uncached and output tokens, each at its price", () => {
    const use = { read: 1_000, written: 100, uncached: 10 };
    expect(requestCost(use, 20, prices, "5m")).toBeCloseTo(100 + 125 + 10 + 100);
    expect(requestCost(use, 20, prices, "1h")).toBeCloseTo(100 + 200 + 10 + 100);
  });

  it("has what a recording wrote for an hour at the price of that, whatever is simulated", () => {
    const use = { read: 0, written: 100, uncached: 0, writtenForHour: 60 };
    expect(requestCost(use, 0, prices, "5m")).toBeCloseTo(40 * 1.25 + 60 * 2);
  });
});
