import { describe, expect, it } from "vitest";
import { factsOf } from "../../../../../../test/layers/compaction-support.ts";
import { foldingLevels, foldingNumbers, foldingNumbersOf } from "./settings.ts";

describe("foldingNumbersOf", () => {
  it("reads what was set, and passes over what is no count", () => {
    const folding: object = { commitPercent: 80, keepTokens: -1, spanTokens: "many", maxSpans: 2.5 };
    expect(foldingNumbersOf(factsOf({ settings: { folding } }))).toEqual({
      ...foldingNumbers,
      commitPercent: 80,
    });
  });

  it("shrinks tokens, and nothing else, in a small window", () => {
    expect(foldingNumbersOf(factsOf({ window: 50_000 }))).toEqual({
      ...foldingNumbers,
      spanTokens: 4_000,
      minSpanTokens: 1_000,
      summaryTokens: 300,
      keepTokens: 10_000,
    });
  });
});

describe("foldingLevels", () => {
  it("are parts of the effective window", () => {
    const { thresholds } = factsOf();
    expect(foldingLevels(foldingNumbers, thresholds)).toEqual({
      prepare: 108_000,
      commit: 162_000,
      block: 171_000,
      target: 126_000,
      minBatch: 9_000,
    });
  });

  it("are never over the count at which requests are blocked", () => {
    const { thresholds } = factsOf();
    const levels = foldingLevels(foldingNumbers, { ...thresholds, blocking: 150_000 });
    expect(levels).toMatchObject({ prepare: 108_000, commit: 150_000, block: 150_000, target: 126_000 });
  });
});
