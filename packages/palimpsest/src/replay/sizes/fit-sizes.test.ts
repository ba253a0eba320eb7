import { describe, expect, it } from "vitest";
import { fitSizes, medianError } from "./fit-sizes.ts";

const points = (overhead: number, scale: number, count: number) =>
  Array.from({ length: count }, (_, at) => ({
    estimated: at * 5_000,
    recorded: overhead + scale * at * 5_000,
  }));

describe("fitting sizes", () => {
  it("recovers the two numbers of a synthetic session", () => {
    const fit = fitSizes(points(38_000, 1.3, 40));
    expect(fit?.overhead).toBeCloseTo(38_000, -3);
    expect(fit?.scale).toBeCloseTo(1.3, 2);
  });

  it("judges by the median of the relative error", () => {
    const fit = () => ({ overhead: 38_000, scale: 1.3 });
    expect(medianError(points(38_000, 1.3, 9), fit)).toBe(0);
    expect(medianError([...points(19_000, 0.65, 3), ...points(38_000, 1.3, 2)], fit)).toBeCloseTo(1);
    expect(medianError([], fit)).toBeNull();
  });

  it("holds the scale in its range, whatever the points say", () => {
    expect(fitSizes(points(100_000, -2, 40))?.scale).toBe(0.6);
    expect(fitSizes(points(100_000, 9, 40))?.scale).toBe(2.2);
  });

  it("says nothing of fewer than two points", () => {
    expect(fitSizes(points(38_000, 1.3, 1))).toBeNull();
  });
});
