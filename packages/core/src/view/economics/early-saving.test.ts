import { describe, expect, it } from "vitest";
import { type EarlyCompaction, earlySaving } from "./break-even.ts";

const rates = { cacheRead: 0.1, cacheWrite: 1.25, output: 5 };
const compaction: EarlyCompaction = {
  cleared: 20_000,
  stays: 10_000,
  promptTokens: 50_000,
  isCold: false,
  fetches: 2,
  requests: 20,
};
const fetch = 0.1 * 50_000 + 1.25 * 1_500 + 5 * 80;

describe("earlySaving", () => {
  it("sets reads that no longer happen against what is written in their place and fetched again", () => {
    const { saves, costs } = earlySaving(compaction, rates);
    expect(saves).toBeCloseTo(20_000 * 0.1 * 20);
    expect(costs).toBeCloseTo(2 * fetch + 1.15 * 10_000);
  });

  it("has nothing to write again where the cache is cold, and saves writing what is gone", () => {
    const { saves, costs } = earlySaving({ ...compaction, isCold: true }, rates);
    expect(saves).toBeCloseTo(20_000 * (0.1 * 20 + 1.25));
    expect(costs).toBeCloseTo(2 * fetch);
  });

  it("saves nothing where more would stay than there is", () => {
    expect(earlySaving({ ...compaction, cleared: -1 }, rates).saves).toBeLessThan(0);
  });
});
