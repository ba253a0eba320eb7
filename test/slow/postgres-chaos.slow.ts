import { describe, expect, it } from "vitest";
import { postgresAbsence } from "../../scripts/postgres/start-postgres.mjs";
import { findChaosProblems } from "../support/postgres/find-chaos-problems.ts";
import { type ChaosReach, runChaos } from "../support/postgres/run-chaos.ts";
import { seed } from "../support/seed.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

const minutes = Number(process.env.PALIMPSEST_SLOW_MINUTES ?? 20);
const workers = 4;
const sessions = 200;
/** A tenth of the time of all suites. */
const ms = minutes * 0.1 * 60_000;

/** For each second; far below what an idle machine reaches. */
const minimumPerSecond: Readonly<Record<keyof ChaosReach, number>> = {
  appends: 20,
  takeOvers: 0.1,
  versions: 2,
  mails: 2,
  jobs: 2,
  cuts: 0.1,
  lostAnswers: 0.1,
  restarts: 0.03,
  kills: 0.05,
  agedLeases: 1,
};

const absence = postgresAbsence();
if (absence !== null && process.env.CI) throw new Error(`Tests on Postgres cannot run: ${absence}`);

describe.skipIf(absence !== null)("chaos on Postgres", () => {
  it(`${workers} processes on ${sessions} sessions, killed, cut off and taken over, lose and double nothing`, async () => {
    const started = performance.now();
    const { reach, history } = await runChaos({
      folder: await temporaryFolder(),
      ...{ seed, workers, sessions, ms },
    });
    const seconds = Math.round((performance.now() - started) / 1000);
    const reached = Object.entries(reach).map(
      ([what, count]) =>
        `${count} ${what} (minimum ${Math.floor((minimumPerSecond[what as keyof ChaosReach] * ms) / 1000)})`,
    );
    console.log(`chaos on Postgres: reached ${reached.join(", ")} in ${seconds} s, seed ${seed}`);
    const refusals = new Map<string, number>();
    for (const record of history.records)
      if (record.kind === "refusal") {
        const what = `${record.what} ${record.code}`;
        refusals.set(what, (refusals.get(what) ?? 0) + 1);
      }
    console.log(`refused: ${[...refusals].map(([what, count]) => `${count} × ${what}`).join(", ")}`);
    expect(findChaosProblems(history)).toEqual([]);
    for (const [what, count] of Object.entries(reach))
      expect(count, what).toBeGreaterThanOrEqual(
        Math.floor((minimumPerSecond[what as keyof ChaosReach] * ms) / 1000),
      );
  });
});
