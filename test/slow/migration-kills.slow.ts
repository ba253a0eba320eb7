import { describe, expect, it } from "vitest";
import { postgresAbsence } from "../../scripts/postgres/start-postgres.mjs";
import { seed } from "../support/seed.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";

/** Kills in both directions; of these at least so many before the first copy was whole. */
const minimum = { kills: 150, cut: 75 };

const absence = postgresAbsence();
if (absence !== null && process.env.CI) throw new Error(`Tests on Postgres cannot run: ${absence}`);

describe.skipIf(absence !== null)("migrate-store", () => {
  it("killed at random points and begun again, from files to Postgres and back, ends with both the same", async () => {
    const { runKills } = await import("../../scripts/reliability/run-kills.mjs");
    const started = performance.now();
    const { tallies } = await runKills({
      address: await temporaryFolder(),
      seed,
      kinds: ["migration"],
      isOver: ({ kills }: { readonly kills: number }) => kills >= minimum.kills,
    });
    const seconds = Math.round((performance.now() - started) / 1000);
    const [{ kills, reached, problems } = { kills: 0, reached: {}, problems: ["nothing was done"] }] =
      tallies;
    console.log(
      `kill -9, migration: reached ${kills} (minimum ${minimum.kills}), ${JSON.stringify(reached)} (minimum ${minimum.cut} cut) in ${seconds} s, seed ${seed}`,
    );
    expect(problems).toEqual([]);
    expect(kills).toBeGreaterThanOrEqual(minimum.kills);
    expect(reached.cut).toBeGreaterThanOrEqual(minimum.cut);
  });
});
