import { expect, it } from "vitest";
import { createSeededRandom } from "../../packages/testing/src/seeded-random.ts";
import { inLanes } from "../support/postgres/in-lanes.ts";
import { checkRecallSequence, type RecallSequence } from "../support/postgres/recall-differential.ts";
import { describeOnPostgres, openTestDatabase } from "../support/postgres/use-postgres.ts";
import { seed } from "../support/seed.ts";

const lanes = 6;
/** Random sequences of updates, each with queries after every update; at least so many of these are compared. */
const minimum = {
  whole: { sequences: 300, queries: 4_000 },
  frequent: { sequences: 100, queries: 1_000 },
};

type Kind = keyof typeof minimum;

function sequenceOf(kind: Kind, at: number): RecallSequence {
  const own = seed + at + (kind === "whole" ? 0 : 1_000_000);
  const random = createSeededRandom(own);
  const shape = { seed: own, publishes: 1 + random.below(6) };
  if (kind === "whole") return { ...shape, documents: 1 + random.below(60) };
  return { ...shape, documents: 60 + random.below(60), maxPostings: 40 + random.below(160) };
}

describeOnPostgres("recall on files and on Postgres", async () => {
  const database = await openTestDatabase({ maxConnections: lanes });

  async function compare(kind: Kind): Promise<void> {
    const { sequences, queries } = minimum[kind];
    const started = performance.now();
    let partial = 0;
    const compared = await inLanes({ count: sequences, lanes }, async (at) => {
      const one = await checkRecallSequence(database, `${kind}-${at}`, sequenceOf(kind, at));
      partial += one.partial;
      return one.compared;
    });
    const seconds = Math.round((performance.now() - started) / 1000);
    console.log(
      `recall on files and on Postgres, ${kind}: reached ${sequences} sequences (minimum ${sequences}), ${compared} queries compared (minimum ${queries}), ${partial} that said they are not whole, in ${seconds} s, seed ${seed}`,
    );
    expect(compared).toBeGreaterThanOrEqual(queries);
    if (kind === "whole") expect(partial).toBe(0);
  }

  it(`finds the same after each update of ${minimum.whole.sequences} random sequences`, () =>
    compare("whole"));

  it(`finds the same in ${minimum.frequent.sequences} random sequences where the frequent words are not read`, () =>
    compare("frequent"));
});
