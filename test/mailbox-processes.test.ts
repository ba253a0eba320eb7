import { expect, it } from "vitest";
import { mailBetweenProcesses } from "./support/mail-between-processes.ts";
import { seed } from "./support/seed.ts";
import { temporaryFolder } from "./support/temporary-folder.ts";

it("delivers every mail of several processes once and in order, whatever happens to the readers", async () => {
  const home = await temporaryFolder();
  const tally = await mailBetweenProcesses({ home, senders: 4, times: 50, seed, maxBatches: 2, minKills: 3 });
  expect(tally.delivered).toBe(200);
  expect(tally.kills).toBeGreaterThanOrEqual(3);
});
