import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  noPauses,
  pauseRangesMs,
  pausesFrom,
  pausesWithin,
  readPauses,
  withEnd,
  withPause,
} from "./pauses.ts";

const minute = 60_000;

describe("pauses", () => {
  it("are counted by their length, and shorter gaps not at all", () => {
    const gaps = [1, 4.9, 5, 9, 12, 25, 59, 60, 200, 5_000].map((minutes) => minutes * minute);
    expect(gaps.reduce(withPause, noPauses)).toEqual({ counts: [2, 1, 1, 1, 1, 1, 1], ends: 0 });
    expect(withEnd(noPauses)).toEqual({ ...noPauses, ends: 1 });
  });

  it("are spread evenly within their range", () => {
    const pauses = { counts: [10, 0, 0, 6, 0, 0, 0], ends: 3 };
    expect(pausesWithin(pauses, 6 * minute, 40 * minute)).toBeCloseTo(8 + 2);
    expect(pausesFrom(pauses, 40 * minute)).toBeCloseTo(4 + 3);
  });

  it("are all of them, however time is cut", () => {
    const amount = fc.double({ min: 0, max: 100, noNaN: true });
    const counts = fc.array(amount, { minLength: pauseRangesMs.length, maxLength: pauseRangesMs.length });
    fc.assert(
      fc.property(counts, amount, fc.double({ min: 0, max: 2_000, noNaN: true }), (given, ends, at) => {
        const pauses = { counts: given, ends };
        const all = given.reduce((sum, one) => sum + one, ends);
        expect(pausesWithin(pauses, 0, at * minute) + pausesFrom(pauses, at * minute)).toBeCloseTo(all);
      }),
    );
  });

  it("fade, so that what is learned follows a person's habits", () => {
    const short = Array.from({ length: 5_000 }, () => 7 * minute).reduce(withPause, noPauses);
    expect(short.counts[0]).toBeLessThanOrEqual(1_000);
    const changed = Array.from({ length: 2_000 }, () => 30 * minute).reduce(withPause, short);
    expect(changed.counts[3]).toBeGreaterThan(changed.counts[0] ?? 0);
  });

  it.each([
    null,
    { version: 2 },
    { version: 1, interactive: { counts: [1], ends: 0 } },
    { version: 1, interactive: { ...noPauses, ends: -1 } },
  ])("are nothing where what is stored is not valid: %j", (stored) => {
    expect(readPauses(stored)).toEqual({ interactive: noPauses, unattended: noPauses, relayed: noPauses });
  });
});
