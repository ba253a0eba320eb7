import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { factsOf } from "../../../../../../test/layers/compaction-support.ts";
import { createMeasure } from "../../../view/tokens/measure.ts";
import { compactionNumbers, compactionNumbersOf } from "../settings.ts";
import { compactionBudget, isProgress, scribeBudget } from "./budget.ts";
import { fitText } from "./build-boundary.ts";

const budget = (threshold: number, headTokens: number, tokensBefore: number, isTight = false) =>
  compactionBudget({ threshold, headTokens, tokensBefore, isTight, numbers: compactionNumbers });

describe("compactionBudget", () => {
  it("is 60 % of the threshold less system and tools", () => {
    expect(budget(167_000, 17_000, 170_000)).toEqual({
      totalTokens: 90_000,
      summaryTokens: 20_000,
      appendixTokens: 18_000,
      keptTokens: 22_500,
    });
  });

  it("is of the view where that is smaller, half where one before did not help, and never below 0", () => {
    expect(budget(167_000, 1_000, 11_000).totalTokens).toBe(6_000);
    expect(budget(167_000, 17_000, 170_000, true).totalTokens).toBe(45_000);
    expect(budget(5_000, 9_000, 9_500).totalTokens).toBe(0);
  });

  it("is never more than was set, half of that where one before did not help", () => {
    const capped = (isTight: boolean) =>
      compactionBudget({
        threshold: 167_000,
        headTokens: 17_000,
        tokensBefore: 170_000,
        isTight,
        numbers: { ...compactionNumbers, maxTokens: 10_000 },
      });
    expect(capped(false)).toEqual({
      totalTokens: 10_000,
      summaryTokens: 4_000,
      appendixTokens: 2_000,
      keptTokens: 2_500,
    });
    expect(capped(true).totalTokens).toBe(5_000);
  });

  it("has parts that together are within the whole", () => {
    fc.assert(
      fc.property(fc.nat(2e6), fc.nat(1e5), fc.nat(2e6), fc.boolean(), (threshold, head, before, isTight) => {
        const { totalTokens, summaryTokens, appendixTokens, keptTokens } = budget(
          threshold,
          head,
          before,
          isTight,
        );
        expect(summaryTokens + appendixTokens + keptTokens).toBeLessThanOrEqual(totalTokens);
      }),
    );
  });
});

describe("scribeBudget", () => {
  it.each([
    [0, 0],
    [4_000, 3_800],
    [20_000, 12_000],
    [40_000, 16_000],
    [90_000, 20_000],
  ])("of %d tokens: %d", (room, expected) => {
    expect(scribeBudget(room, compactionNumbers)).toBe(expected);
  });
});

describe("isProgress", () => {
  it.each([
    [100, 89, 0, 95, true],
    [100, 90, 0, 95, true],
    [100, 91, 0, 95, false],
    [1_000, 95, 0, 95, false],
    [1_000, 94, 0, 95, true],
    [100, 91, 20, 95, true],
    [100, 92, 20, 95, true],
    [100, 93, 20, 95, false],
    [100, 99, 90, 100, true],
    [100, 100, 100, 100, false],
  ])(
    "from %d to %d tokens, %d of them no messages, with a threshold of %d: %s",
    (tokensBefore, tokensAfter, headTokens, threshold, expected) => {
      expect(isProgress({ tokensBefore, tokensAfter, headTokens }, threshold, 10)).toBe(expected);
    },
  );
});

describe("compactionNumbersOf", () => {
  it("shrinks counts of tokens in a small window, and passes over what is no count", () => {
    const compaction: object = { maxFailures: 5, restoredFiles: -1, dropPercent: "x" };
    const settings = { compaction };
    const numbers = compactionNumbersOf(factsOf({ window: 8_000, settings }));
    expect(numbers).toMatchObject({ maxFailures: 5, restoredFiles: 5, dropPercent: 20 });
    expect(numbers).toMatchObject({
      maxSummaryTokens: 1_600,
      restoredFileTokens: 400,
      restoredFilesTokens: 4_000,
    });
    expect(compactionNumbersOf(factsOf())).toEqual(compactionNumbers);
  });
});

describe("fitText", () => {
  it("is the text, or its ends within the tokens, cut on code points", () => {
    const measure = createMeasure();
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 400 }), fc.nat(200), (text, max) => {
        const fitted = fitText(text, max, measure);
        expect(measure(fitted)).toBeLessThanOrEqual(max);
        expect(fitted.isWellFormed()).toBe(true);
        if (measure(text) <= max) expect(fitted).toBe(text);
      }),
    );
  });
});
