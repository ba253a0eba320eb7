import { describe, expect, it } from "vitest";
import { chooseTtl, minGaps, noGaps } from "./request-gaps.ts";

const prices = { cacheWrite5m: 1.25, cacheWrite1h: 2, cacheRead: 0.1 };
const prompt = { promptTokens: 100_000, addedTokens: 2_000, prices };

describe("choice of the time to live", () => {
  it("is the short one before enough was seen, and for a user who never pauses", () => {
    expect(chooseTtl({ gaps: noGaps, ...prompt })).toBe("5m");
    expect(chooseTtl({ gaps: { short: 0, middle: minGaps - 1, long: 0 }, ...prompt })).toBe("5m");
    expect(chooseTtl({ gaps: { short: 500, middle: 0, long: 1 }, ...prompt })).toBe("5m");
  });

  it("is the long one where pauses of some minutes are frequent", () => {
    expect(chooseTtl({ gaps: { short: 50, middle: 5, long: 0 }, ...prompt })).toBe("1h");
  });

  it("changes where the two cost the same", () => {
    const gaps = { short: 99, middle: 1, long: 0 };
    const even = ((2 - 1.25) * 100 * 1_000) / (1.25 - 0.1);
    expect(chooseTtl({ gaps, promptTokens: even - 1, addedTokens: 1_000, prices })).toBe("5m");
    expect(chooseTtl({ gaps, promptTokens: even + 1, addedTokens: 1_000, prices })).toBe("1h");
  });
});
