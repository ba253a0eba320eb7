import { describe, expect, it } from "vitest";
import { amount } from "./support/amount.ts";
import { raceFiles } from "./support/race-files.ts";

/** Three times as many in all. */
const calls = amount({ quick: 350, slow: 700 });

describe("files that are written while another process swaps places for links that lead out", () => {
  it.each(["folder", "parent", "file"] as const)("stay inside where the %s is swapped", async (swapped) => {
    const { done, swaps, landed } = await raceFiles({ swapped, calls });
    expect(landed).toEqual([]);
    expect(Object.keys(done).toSorted()).toEqual(["Edit", "MultiEdit", "NotebookEdit", "Write", "new"]);
    expect(swaps).toBeGreaterThan(amount({ quick: 50, slow: 100 }));
  });
});
