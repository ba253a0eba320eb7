import { describe, expect, it } from "vitest";
import {
  addRound,
  createTestLog,
  factsOf,
  said,
} from "../../../../../../../test/layers/compaction-support.ts";
import type { PreparedFold } from "../../../../spec/index.ts";
import { chooseFolds, isWorthABreak, placeFolds, reasonToFoldEarly } from "./choose-folds.ts";
import { foldGround, type ItemMeasure, measureView } from "./fold-ground.ts";

const fold = (cleared: number, stays = 100) => ({ cleared, stays });

describe("chooseFolds", () => {
  it("takes the oldest, as few as bring the view under the target", () => {
    const folds = [fold(1_100), fold(2_100), fold(3_100)];
    expect(chooseFolds(folds, { tokens: 10_000, target: 9_500 })).toEqual({
      folds: folds.slice(0, 1),
      freed: 1_000,
    });
    expect(chooseFolds(folds, { tokens: 10_000, target: 9_000 })).toEqual({
      folds: folds.slice(0, 2),
      freed: 3_000,
    });
    expect(chooseFolds(folds, { tokens: 10_000, target: 0 })).toEqual({ folds, freed: 6_000 });
    expect(chooseFolds(folds, { tokens: 10, target: 11 })).toEqual({ folds: [], freed: 0 });
  });

  it("leaves out what frees nothing", () => {
    const folds = [fold(100, 100), fold(50, 100), fold(200)];
    expect(chooseFolds(folds, { tokens: 1_000, target: 0 })).toEqual({ folds: [fold(200)], freed: 100 });
  });
});

describe("isWorthABreak", () => {
  const input = { tokens: 10_000, level: 9_000, minBatch: 500 };

  it("wants a batch to reach the level or to free enough", () => {
    expect(isWorthABreak({ freed: 0 }, { ...input, level: 20_000 })).toBe(false);
    expect(isWorthABreak({ freed: 499 }, input)).toBe(false);
    expect(isWorthABreak({ freed: 500 }, input)).toBe(true);
    expect(isWorthABreak({ freed: 1_001 }, { ...input, minBatch: 5_000 })).toBe(true);
    expect(isWorthABreak({ freed: 1_000 }, { ...input, minBatch: 5_000 })).toBe(false);
  });
});

function worked() {
  const log = createTestLog();
  log.say(said("Build the thing."));
  for (const id of ["a", "b", "c", "d", "e", "f"]) addRound(log, id, 4_000);
  const view = log.view(7_000);
  const measure = measureView(view, factsOf({ headTokens: 0 }));
  return {
    log,
    view,
    measure,
    ground: foldGround(view, { measure, numbers: { keepTokens: 0, keepRounds: 1 } }),
  };
}

const prepared = (from: string, to: string): PreparedFold => ({
  entry: "n",
  seq: 99,
  from,
  to,
  summary: "s".repeat(400),
  tokens: 1,
});
const exact: ItemMeasure = { item: () => 0, text: (text) => text.length / 4 };

describe("placeFolds", () => {
  it("finds where prepared folds stand, oldest first", () => {
    const { ground, measure } = worked();
    const placed = placeFolds(ground, [prepared("e6", "e9"), prepared("e2", "e5")], measure);
    expect(placed.map(({ range }) => range)).toEqual([
      { from: 1, to: 7 },
      { from: 7, to: 13 },
    ]);
    expect(placed[0]?.cleared).toBeGreaterThan(placed[0]?.stays ?? 0);
  });

  it.each([
    ["whose entries have left the view", prepared("gone", "e5")],
    ["that end before they begin", prepared("e5", "e2")],
    ["that would cut a call from its result", prepared("e2", "e4")],
    ["that begin with a result", prepared("e3", "e5")],
    ["that hold the newest work", prepared("e10", "e13")],
    ["that hold what the user said", prepared("e1", "e5")],
  ])("passes over folds %s", (_, one) => {
    expect(placeFolds(worked().ground, [one], exact)).toEqual([]);
  });

  it("passes over a fold that overlaps an older one", () => {
    const placed = placeFolds(worked().ground, [prepared("e4", "e7"), prepared("e2", "e5")], exact);
    expect(placed.map(({ fold }) => fold.from)).toEqual(["e2"]);
  });
});

describe("reasonToFoldEarly", () => {
  const reason = (folds: readonly PreparedFold[], more: Parameters<typeof factsOf>[0]) => {
    const { ground, measure, view } = worked();
    return reasonToFoldEarly(placeFolds(ground, folds, measure), view.items, measure, factsOf(more));
  };
  const half = [prepared("e2", "e5"), prepared("e6", "e9")];

  it("has one where more requests are expected than the batch needs to pay", () => {
    expect(reason(half, { expectedRequests: 40 })).toMatch(
      /^saves money after \d+\.\d requests; 40 are expected$/,
    );
    expect(reason(half, { expectedRequests: 5 })).toBe(null);
    expect(reason(half.slice(0, 1), { expectedRequests: 10 })).toBe(null);
    expect(reason([], { expectedRequests: 1_000 })).toBe(null);
  });

  it("has one where the cache is cold: all is written again in any case", () => {
    const cold = { cache: { state: "cold", ttlMs: 300_000 }, expectedRequests: 1 } as const;
    expect(reason(half, cold)).toContain("cold");
    expect(reason([], cold)).toBe(null);
  });
});
