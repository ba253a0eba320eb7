import { describe, expect, it } from "vitest";
import { expectedRequestsLeft, longTtlMs, noGaps, readGaps, shortTtlMs, withGap } from "./request-gaps.ts";

/** So many gaps of one length after so many of another. */
function learned(runs: number, length: number, pauseMs: number) {
  let gaps = noGaps;
  for (let run = 0; run < runs; run += 1) {
    for (let request = 1; request < length; request += 1) gaps = withGap(gaps, 20_000);
    gaps = withGap(gaps, pauseMs);
  }
  return gaps;
}

describe("expected requests left", () => {
  it("are 20 before anything was seen, and 57 where entries live for an hour", () => {
    expect(expectedRequestsLeft(noGaps, "5m")).toBe(20);
    expect(expectedRequestsLeft(noGaps, "1h")).toBeCloseTo(57, 0);
  });

  it("come near what a user's runs are", () => {
    const gaps = learned(200, 6, 600_000);
    expect(expectedRequestsLeft(gaps, "5m")).toBeCloseTo(6.3, 0);
    expect(expectedRequestsLeft(gaps, "1h")).toBeGreaterThan(500);
  });

  it("follow a user whose ways change", () => {
    let gaps = learned(60, 60, 600_000);
    for (let request = 0; request < 20_000; request += 1) gaps = withGap(gaps, request % 2 ? 600_000 : 1_000);
    expect(expectedRequestsLeft(gaps, "5m")).toBeLessThan(3);
  });

  it("count gaps by the lives of entries, edges included", () => {
    const edges = [0, shortTtlMs - 1, shortTtlMs, longTtlMs - 1, longTtlMs];
    expect(edges.reduce(withGap, noGaps)).toEqual({ short: 2, middle: 2, long: 1 });
  });

  it("forget what was stored and cannot be right", () => {
    expect(readGaps({ version: 1, short: 3, middle: 2, long: 1 })).toEqual({ short: 3, middle: 2, long: 1 });
    for (const bad of [undefined, null, 3, {}, { version: 2 }, { version: 1, short: -1, middle: 0, long: 0 }])
      expect(readGaps(bad)).toEqual(noGaps);
  });
});
