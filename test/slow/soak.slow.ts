import { expect, it } from "vitest";
import { seed } from "../support/seed.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** `npm run soak` goes on for as long as it is told; here it only must not rot. */
const ms = 4_000;

it("everything at once on one data root, with kills, keeps what it promises", async () => {
  const { runSoak } = await import("../../scripts/reliability/run-soak.mjs");
  const sums = await runSoak({ address: await temporaryFolder(), seed, ms, roundMs: ms / 2 });
  console.log(`soak: reached ${sums.rounds} rounds, ${sums.kills} kills, ${JSON.stringify(sums.reached)}`);
  expect(sums.problems).toEqual([]);
  expect(sums.rounds).toBeGreaterThanOrEqual(1);
  expect(sums.kills).toBeGreaterThanOrEqual(5);
});
