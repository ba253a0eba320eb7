import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { toolResultNumbers } from "../settings.ts";
import { fitRound, offloadedChars } from "./fit-round.ts";

const { roundMaxChars, previewBytes } = toolResultNumbers;
const sized = (chars: number, isOver = false) => ({ chars, isOver });
const offloadedSizes = (sizes: readonly number[], settledChars = 0) => {
  const { offloaded } = fitRound(
    sizes.map((chars) => sized(chars)),
    settledChars,
    toolResultNumbers,
  );
  return [...offloaded].map(({ chars }) => chars);
};

describe("fitRound", () => {
  it.each<[readonly number[], readonly number[]]>([
    [[50_000, 50_000, 50_000, 50_000], []],
    [[50_000, 50_000, 50_000, 50_001], [50_001]],
    [[30_000, 49_000, 48_000, 47_000, 46_000], [49_000]],
    [[199_999, 1, 1], [199_999]],
    [
      [150_000, 120_000, 110_000],
      [150_000, 120_000],
    ],
    [[300_000], [300_000]],
  ])("takes the largest of %j until the round holds: %j", (sizes, expected) => {
    expect(offloadedSizes(sizes)).toEqual(expected);
  });

  it("counts what stands in the round already", () => {
    expect(offloadedSizes([40_000, 30_000], 150_000)).toEqual([40_000]);
  });

  it("takes what is over its own limit in any case, and shrinks no preview without need", () => {
    const over = sized(60_000, true);
    expect(fitRound([over, sized(10)], 0, toolResultNumbers)).toEqual({
      offloaded: new Set([over]),
      previewBytes,
    });
  });

  it("shrinks the previews where very many results share a round", () => {
    const many = Array.from({ length: 100 }, () => sized(2_100));
    const { offloaded, previewBytes: shrunk } = fitRound(many, 0, toolResultNumbers);
    expect({ offloaded: offloaded.size, shrunk }).toEqual({ offloaded: 34, shrunk: 500 });
  });

  it("makes any round hold that can hold", () => {
    const sizes = fc.array(fc.nat({ max: 300_000 }), { maxLength: 150 });
    fc.assert(
      fc.property(sizes, fc.nat({ max: 50_000 }), (all, settledChars) => {
        const results = all.map((chars) => sized(chars, chars > 50_000));
        const fit = fitRound(results, settledChars, toolResultNumbers);
        const replaced = offloadedChars(fit.previewBytes, toolResultNumbers);
        const total = results.reduce(
          (sum, one) => sum + (fit.offloaded.has(one) ? replaced : one.chars),
          settledChars,
        );
        expect(total).toBeLessThanOrEqual(roundMaxChars);
        expect(results.filter((one) => one.isOver && !fit.offloaded.has(one))).toEqual([]);
      }),
    );
  });

  it("leaves the least there can be where nothing makes the round hold", () => {
    const many = Array.from({ length: 1_000 }, () => sized(60_000, true));
    expect(fitRound(many, 0, toolResultNumbers).previewBytes).toBe(0);
  });
});
