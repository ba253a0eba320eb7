import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { shareTokens } from "./request-log.ts";

const weights = fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1, maxLength: 14 });

describe("shareTokens", () => {
  it("gives whole numbers that add up, none further than one from its exact part", () => {
    fc.assert(
      fc.property(fc.nat({ max: 2_000_000 }), weights, (total, given) => {
        const shares = shareTokens(total, given);
        const sum = given.reduce((all, weight) => all + weight, 0);
        expect(shares.reduce((all, share) => all + share, 0)).toBe(total);
        for (const [at, share] of shares.entries()) {
          expect(Number.isInteger(share) && share >= 0).toBe(true);
          if (sum > 0) expect(Math.abs(share - (total * (given[at] as number)) / sum)).toBeLessThan(1);
        }
      }),
    );
  });

  it("gives nothing to what weighs nothing, unless nothing weighs anything", () => {
    expect(shareTokens(10, [0, 3, 0])).toEqual([0, 10, 0]);
    expect(shareTokens(10, [0, 0])).toEqual([0, 10]);
  });
});
