import { it } from "vitest";
import { killAppends } from "../support/kill-appends.ts";
import { reach } from "../support/reach.ts";
import { seed } from "../support/seed.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Kills per step and durability level; two processes at a time. */
const batch = 20;

it("kill -9 during appends loses nothing acknowledged", async () => {
  const home = await temporaryFolder();
  await reach({ name: "kill -9 during appends", minimum: 1000, plenty: 1200, share: 0.3 }, async (done) => {
    const run = (durability: "process" | "fsync", offset: number) =>
      killAppends(
        `${home}/${done}-${durability}`,
        durability,
        seed + done + offset,
        (kills) => kills < batch,
      );
    const tallies = await Promise.all([run("process", 0), run("fsync", 1_000_000)]);
    return tallies.reduce((sum, { kills }) => sum + kills, 0);
  });
});
