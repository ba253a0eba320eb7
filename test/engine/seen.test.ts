import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { amount } from "../support/amount.ts";
import {
  checkSeen,
  type SeenMode,
  type SeenRun,
  type SeenStep,
  seenModes,
  seenStep,
} from "../support/check-seen.ts";

describe("what no model has been asked with (invariant 10)", () => {
  const runs: SeenRun[] = [];

  it.each(Object.entries(seenModes))("is in every request, word for word, with %s", async (_name, mode) => {
    const before = runs.length;
    const steps = fc.array(seenStep, { minLength: 1, maxLength: 14, size: "max" });
    const property = fc.asyncProperty(steps, async (all) => {
      runs.push(await checkSeen(all, mode));
    });
    await fc.assert(property, { numRuns: amount({ quick: 6, slow: 40 }) });
    expect(runs.slice(before).reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThan(
      amount({ quick: 10, slow: 100 }),
    );
  });

  const prompt = (size: number, images = 0) => ({ step: "prompt", size, images }) as const;
  const round = (said: number | null, ...sizes: number[]) =>
    ({ step: "round", sizes, thinks: false, said }) as const;

  it.each<[string, string, readonly SeenStep[]]>([
    [
      "a compaction that just fits, and a few more words",
      "cold clearing of all but one",
      [round(34, 13, 80, 198), round(354, 369, 45, 26), prompt(3)],
    ],
    [
      "cache edits that the first image makes void",
      "cache edits",
      [
        ...[prompt(100), prompt(29), prompt(29), round(33, 15, 43, 118, 188, 105, 46), prompt(206)],
        ...[{ step: "answer", size: 0 } as const, round(null, 57, 38), prompt(55, 1)],
      ],
    ],
    [
      "more messages than a small window has room for beginnings and ends of",
      "a small window",
      [round(11, 52, 116, 117, 117, 52, 117), prompt(40), prompt(58, 10)],
    ],
    [
      "results that are hardly larger than what stands for them",
      "a small window",
      [round(10, 67, 117, 117, 117, 117, 18, 117)],
    ],
  ])("is in every request after %s", async (_name, mode, steps) => {
    const { requests, blocked } = await checkSeen(steps, seenModes[mode] as SeenMode);
    expect([requests > 1, blocked]).toEqual([true, 0]);
  });

  it("was put to the test: much was compacted, and some was too large for the window", () => {
    const sum = (of: keyof SeenRun) => runs.reduce((all, run) => all + run[of], 0);
    expect(sum("compactions")).toBeGreaterThan(amount({ quick: 8, slow: 50 }));
    expect(sum("stored")).toBeGreaterThan(amount({ quick: 3, slow: 20 }));
    expect(sum("blocked")).toBeLessThan(sum("requests") / amount({ quick: 10, slow: 20 }));
  });
});
