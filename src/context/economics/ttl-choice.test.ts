import { describe, expect, it } from "vitest";
import { chooseTtl, longTtlMs, noGaps, shortTtlMs, withGap } from "./ttl-choice.ts";

const rates = { cacheWrite5m: 1.25, cacheWrite1h: 2, cacheRead: 0.1 };
const prompt = { promptTokens: 100_000, addedTokens: 2_000 };

describe("choice of the time to live", () => {
  it("is the short one before anything was seen, and for a user who never pauses", () => {
    expect(chooseTtl({ gaps: noGaps, ...prompt, ...rates })).toBe("5m");
    expect(chooseTtl({ gaps: { short: 500, middle: 0, long: 1 }, ...prompt, ...rates })).toBe("5m");
  });

  it("is the long one where pauses of some minutes are frequent", () => {
    expect(chooseTtl({ gaps: { short: 50, middle: 5, long: 0 }, ...prompt, ...rates })).toBe("1h");
  });

  it("changes where the two cost the same", () => {
    const gaps = { short: 99, middle: 1, long: 0 };
    const dearer = (2 - 1.25) * 100 * 1_000;
    const even = dearer / (1.25 - 0.1);
    expect(chooseTtl({ gaps, promptTokens: even - 1, addedTokens: 1_000, ...rates })).toBe("5m");
    expect(chooseTtl({ gaps, promptTokens: even + 1, addedTokens: 1_000, ...rates })).toBe("1h");
  });

  it("counts gaps by the lives of entries, edges included", () => {
    const edges = [0, shortTtlMs - 1, shortTtlMs, longTtlMs - 1, longTtlMs];
    expect(edges.reduce(withGap, noGaps)).toEqual({ short: 2, middle: 2, long: 1 });
  });
});
