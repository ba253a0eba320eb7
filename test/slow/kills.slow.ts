import { expect, it } from "vitest";
import { seed } from "../support/seed.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Kills of each kind of work; all kinds are at work at the same time, on one store. */
const minimum: Readonly<Record<string, number>> = {
  append: 1_000,
  mailbox: 500,
  memory: 250,
  offload: 125,
  dream: 125,
};

it("kill -9 at random points of every kind of work loses nothing acknowledged, and doubles nothing", async () => {
  const { runKills } = await import("../../scripts/reliability/run-kills.mjs");
  const started = performance.now();
  const { tallies, found } = await runKills({
    address: await temporaryFolder(),
    seed,
    kinds: Object.keys(minimum),
    isOver: ({ kind, kills }: { readonly kind: string; readonly kills: number }) =>
      kills >= (minimum[kind] ?? 0),
  });
  const seconds = Math.round((performance.now() - started) / 1000);
  for (const { kind, kills, reached } of tallies)
    console.log(`kill -9, ${kind}: reached ${kills} (minimum ${minimum[kind]}), ${JSON.stringify(reached)}`);
  console.log(`kill -9 of every kind: ${seconds} s`);
  expect(tallies.flatMap(({ problems }) => problems)).toEqual([]);
  expect(found?.problems).toEqual([]);
  for (const { kind, kills } of tallies) expect(kills).toBeGreaterThanOrEqual(minimum[kind] ?? 0);
});
