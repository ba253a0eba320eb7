import { describe, expect, it } from "vitest";
import { compareRuns } from "../../bench/live/compare-runs.mjs";

function total(times: number) {
  return {
    dollars: times,
    forkDollars: times / 4,
    inputTokens: times,
    cacheReadTokens: 8 * times,
    cacheCreationTokens: times,
    outputTokens: 2 * times,
    requests: times,
    compactions: 0,
    peakTokens: 100 * times,
    invalid: 0,
  };
}

/** A run whose steps cost `dollars` each. */
function run(variant: string, dollars: number, passed: readonly boolean[], end = "done") {
  const finished = passed.map((isPassed, at) => ({
    kind: at === 0 ? "tell" : "ask",
    isPassed,
    total: total(dollars * (at + 1)),
  }));
  return { variant, finished, end };
}

describe("compareRuns", () => {
  it("compares up to the last step that every variant has finished", () => {
    const runs = [
      run("faithful", 1, [true, true, true, false]),
      run("layers-off", 4, [true, false], "budget"),
    ];
    expect(compareRuns([runs])).toEqual({
      commonSteps: 2,
      variants: [
        {
          variant: "faithful",
          ...total(2),
          cacheReadShare: 0.8,
          checks: { tell: { asked: 1, right: 1 }, ask: { asked: 1, right: 1 } },
          finishedSteps: 4,
          ends: ["done"],
          dollarsOfLast: 0.25,
        },
        {
          variant: "layers-off",
          ...total(8),
          cacheReadShare: 0.8,
          checks: { tell: { asked: 1, right: 1 }, ask: { asked: 1, right: 0 } },
          finishedSteps: 2,
          ends: ["budget"],
          dollarsOfLast: 1,
        },
      ],
    });
  });

  it("adds sessions up, each to its own common step, and takes the highest peak", () => {
    const { commonSteps, variants } = compareRuns([
      [run("faithful", 1, [true]), run("layers-off", 2, [true, true])],
      [run("faithful", 3, [true, true]), run("layers-off", 2, [true, true])],
    ]);
    expect(commonSteps).toBe(3);
    expect(variants).toMatchObject([
      { dollars: 7, peakTokens: 600, dollarsOfLast: 7 / 6 },
      { dollars: 6, peakTokens: 400, dollarsOfLast: 1 },
    ]);
  });

  it("has no ratio where nothing was finished", () => {
    const { variants } = compareRuns([[run("faithful", 1, [true]), run("layers-off", 1, [], "error")]]);
    expect(variants).toMatchObject([
      { dollars: 0, cacheReadShare: null, dollarsOfLast: null, checks: {} },
      { dollars: 0, ends: ["error"] },
    ]);
  });
});
