import { describe, expect, it } from "vitest";
import { expectedRequestsLeft, noRuns, readRuns, withRequest } from "./request-runs.ts";

/** Runs of a length, one behind the other. */
function learned(length: number, runs: number) {
  let seen = noRuns;
  for (let run = 0; run < runs; run += 1)
    for (let request = 0; request < length; request += 1) seen = withRequest(seen, request === 0 && run > 0);
  return seen;
}

describe("expected requests left", () => {
  it("are 20 before anything was seen", () => {
    expect(expectedRequestsLeft(noRuns)).toBe(20);
  });

  it("come near what a user's runs are, and stay there", () => {
    expect(expectedRequestsLeft(learned(5, 100))).toBeCloseTo(5.8, 0);
    expect(expectedRequestsLeft(learned(60, 100))).toBeCloseTo(58, -1);
    expect(expectedRequestsLeft(learned(60, 2_000))).toBeCloseTo(60, -1);
  });

  it("follow a user whose ways change", () => {
    let seen = learned(60, 400);
    for (let run = 0; run < 1_000; run += 1) seen = withRequest(withRequest(seen, true), false);
    expect(expectedRequestsLeft(seen)).toBeLessThan(10);
  });

  it("forget what was stored and cannot be right", () => {
    expect(readRuns(learned(5, 3))).toEqual(learned(5, 3));
    for (const bad of [undefined, null, 3, {}, { version: 2 }, { version: 1, requests: -1, endedRuns: 2 }])
      expect(readRuns(bad)).toEqual(noRuns);
  });
});
