import { describe, expect, it } from "vitest";
import { bootstrap } from "./bootstrap.ts";

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

describe("bootstrap", () => {
  it("gives an interval around the statistic, the same every time", () => {
    const values = [1, 2, 3, 4, 5, 6, 7, 8];
    const interval = bootstrap(values, mean);
    expect(interval).toEqual(bootstrap(values, mean));
    const [low, high] = interval ?? [0, 0];
    expect(low).toBeGreaterThan(2);
    expect(low).toBeLessThan(4.5);
    expect(high).toBeGreaterThan(4.5);
    expect(high).toBeLessThan(7);
  });

  it("is a point where all sessions are alike, and nothing where there is no value", () => {
    expect(bootstrap([2, 2, 2], mean)).toEqual([2, 2]);
    expect(bootstrap([1], () => null)).toBeNull();
  });
});
