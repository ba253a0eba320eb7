import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { judgeUsage } from "./window/window.ts";
import { computeThresholds, type ThresholdInput } from "./window/window-thresholds.ts";

function thresholds(more: Partial<ThresholdInput> = {}) {
  return computeThresholds({ window: 200_000, maxOutput: 64_000, autoEnabled: true, ...more });
}

function judge(used: number, more: Partial<ThresholdInput> = {}) {
  const { percentLeft, isWarning, isError, isAuto, isBlocking } = judgeUsage(thresholds(more), used);
  const levels = { isWarning, isError, isAuto, isBlocking };
  return [percentLeft, ...Object.entries(levels).flatMap(([level, reached]) => (reached ? level : []))];
}

describe("judgeUsage", () => {
  it.each([
    [0, [100]],
    [834, [100]],
    [836, [99]],
    [83_500, [50]],
    [146_999, [12]],
    [147_000, [12, "isWarning", "isError"]],
    [147_001, [12, "isWarning", "isError"]],
    [166_999, [0, "isWarning", "isError"]],
    [167_000, [0, "isWarning", "isError", "isAuto"]],
    [167_001, [0, "isWarning", "isError", "isAuto"]],
    [176_999, [0, "isWarning", "isError", "isAuto"]],
    [177_000, [0, "isWarning", "isError", "isAuto", "isBlocking"]],
    [177_001, [0, "isWarning", "isError", "isAuto", "isBlocking"]],
    [900_000, [0, "isWarning", "isError", "isAuto", "isBlocking"]],
  ])("at %i tokens of 200,000 gives %j", (used, expected) => {
    expect(judge(used)).toEqual(expected);
  });

  it.each([
    [0, [100]],
    [159_999, [11]],
    [160_000, [11, "isWarning", "isError"]],
    [167_000, [7, "isWarning", "isError"]],
    [176_999, [2, "isWarning", "isError"]],
    [177_000, [2, "isWarning", "isError", "isBlocking"]],
    [180_000, [0, "isWarning", "isError", "isBlocking"]],
  ])("at %i tokens, with automatic compaction off, gives %j", (used, expected) => {
    expect(judge(used, { autoEnabled: false })).toEqual(expected);
  });

  it.each([
    [5_359, [0, "isWarning", "isError"]],
    [5_360, [0, "isWarning", "isError", "isAuto"]],
    [6_159, [0, "isWarning", "isError", "isAuto"]],
    [6_160, [0, "isWarning", "isError", "isAuto", "isBlocking"]],
  ])("at %i tokens of 8,000 gives %j", (used, expected) => {
    expect(judge(used, { window: 8_000 })).toEqual(expected);
  });

  it("tells warning and error apart where their numbers differ", () => {
    const numbers = { errorBufferTokens: 10_000 };
    expect(judge(156_999, { numbers })).toEqual([6, "isWarning"]);
    expect(judge(157_000, { numbers })).toEqual([6, "isWarning", "isError"]);
  });

  it("blocks at the limit that was set", () => {
    const environment = { PALIMPSEST_BLOCKING_LIMIT: "1000" };
    expect(judge(999, { environment })).toEqual([99]);
    expect(judge(1_000, { environment })).toEqual([99, "isBlocking"]);
  });

  it("has nothing left where the base is nothing", () => {
    const environment = { PALIMPSEST_AUTOCOMPACT_PCT: "0.0001" };
    expect(judge(0, { environment })).toEqual([0, "isWarning", "isError", "isAuto"]);
  });

  it("is within 0 and 100 percent, and never goes back, for any use of any window", () => {
    const question = fc.record({
      window: fc.integer({ min: 1_000, max: 2_000_000 }),
      maxOutput: fc.integer({ min: 0, max: 200_000 }),
      autoEnabled: fc.boolean(),
    });
    const used = fc.integer({ min: -1_000, max: 3_000_000 });
    fc.assert(
      fc.property(question, used, fc.nat(100_000), (asked, tokens, more) => {
        const levels = computeThresholds(asked);
        const now = judgeUsage(levels, tokens);
        const later = judgeUsage(levels, tokens + more);
        expect(now.percentLeft).toBeGreaterThanOrEqual(0);
        expect(now.percentLeft).toBeLessThanOrEqual(100);
        expect(later.percentLeft).toBeLessThanOrEqual(now.percentLeft);
        for (const level of ["isWarning", "isError", "isAuto", "isBlocking"] as const) {
          expect(Number(later[level]), level).toBeGreaterThanOrEqual(Number(now[level]));
        }
        expect(now.isAuto && !asked.autoEnabled).toBe(false);
      }),
    );
  });
});
