import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { amount } from "../support/amount.ts";
import { killAppends } from "../support/kill-appends.ts";

/** Of each; the slow suite kills 1,000 times more. */
const kills = amount({ quick: 10, slow: 30 });

describe("kill -9 during appends", async () => {
  // Of the file: of tests that run beside each other nobody can tell which one has ended.
  const folder = await mkdtemp(join(tmpdir(), "palimpsest-"));
  afterAll(() => rm(folder, { recursive: true, force: true }));

  it.concurrent.each([
    ["process", 20_261_115],
    ["fsync", 20_261_116],
  ] as const)(
    "loses nothing acknowledged at %s (seed %i)",
    async (durability, seed) => {
      const tally = await killAppends(join(folder, durability), durability, seed, (done) => done < kills);
      expect(tally.kills).toBe(kills);
    },
    300_000,
  );
});
