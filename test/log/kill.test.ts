import { describe, expect, it } from "vitest";
import { killAppends } from "../support/kill-appends.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** `npm test` kills this often; the slow suite goes on from there. */
const kills = 30;

describe("kill -9 during appends", () => {
  it.concurrent.each([
    ["process", 20_261_115],
    ["fsync", 20_261_116],
  ] as const)(
    "loses nothing acknowledged at %s (seed %i)",
    async (durability, seed) => {
      const tally = await killAppends(await temporaryFolder(), durability, seed, (done) => done < kills);
      expect(tally.kills).toBe(kills);
    },
    300_000,
  );
});
