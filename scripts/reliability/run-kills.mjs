import { rm } from "node:fs/promises";
import { createSeededRandom } from "../../dist/testing/seeded-random.js";
import { bundleVictim } from "./bundle-victim.mjs";
import { lookOver } from "./look-over.mjs";
import { isDatabase, openStore } from "./open-store.mjs";
import { startVictim } from "./start-victim.mjs";
import { createAppendWitness } from "./witnesses/append.mjs";
import { createDreamWitness } from "./witnesses/dream.mjs";
import { createMailboxWitness } from "./witnesses/mailbox.mjs";
import { createMemoryWitness } from "./witnesses/memory.mjs";
import { createOffloadWitness } from "./witnesses/offload.mjs";

export const witnessOf = {
  append: createAppendWitness,
  offload: createOffloadWitness,
  memory: createMemoryWitness,
  mailbox: createMailboxWitness,
  dream: createDreamWitness,
};

/** How long after its last line a process on a database dies: somewhere in its next statements. */
const maxLateMs = 30;

/** Three of four die in an operation of the disk, the others after some lines; on a database all of them do. */
function deathOf(random, { maxOperations, maxLines }, { patience, address }) {
  const afterLines = 1 + random.below(maxLines * patience);
  if (isDatabase(address)) return { afterLines, lateMs: random.below(maxLateMs) };
  if (random.below(4) === 0) return { afterLines };
  return { dieAt: 1 + random.below(maxOperations * patience), isLate: random.below(2) === 0 };
}

function add(sums, more) {
  for (const [name, count] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + count;
}

/** Whoever waits for lines is killed with the first that ends: a reader has nothing to say without a writer. */
function allEnded(victims) {
  const waiting = victims.filter(({ isWaited }) => isWaited);
  return Promise.all(
    victims.map(async ({ ended }) => {
      const end = await ended;
      for (const victim of waiting) victim.kill();
      return end;
    }),
  );
}

/** Kills processes of one kind until `isOver` says that there were enough; after each round, all must be as promised. */
async function killKind(kind, { address, seed, script, patience, isOver, onRound, onStart, onEnd }) {
  const random = createSeededRandom(seed);
  const witness = witnessOf[kind]({ openStore: () => openStore(address), seed });
  const tally = { kind, kills: 0, problems: [], reached: {} };
  while (!isOver(tally) && tally.problems.length === 0) {
    const orders = await witness.orders();
    const victims = orders.map((order) =>
      startVictim(script, { ...order, address, death: deathOf(random, witness, { patience, address }) }),
    );
    for (const { pid } of victims) onStart?.(pid);
    const ends = await allEnded(victims);
    for (const { pid } of victims) onEnd?.(pid);
    const { problems, reached } = await witness.check(ends).catch((error) => ({
      problems: [`cannot be looked at: ${error.code ?? ""} ${error.stack ?? error}`],
      reached: {},
    }));
    const round = [...ends.flatMap((end) => end.problems), ...problems];
    const deaths = ends.map(({ order }) => JSON.stringify(order.death)).join(" ");
    tally.problems.push(...round.map((problem) => `${problem} (after kill ${tally.kills}, ${deaths})`));
    tally.kills += ends.length;
    add(tally.reached, reached);
    onRound?.(tally);
  }
  return tally;
}

/**
 * Kills processes of several kinds, side by side over one store, and looks over all that is there in the end. Gives what
 * each kind came to; the first problem ends its kind. With `patience` processes live that many times longer.
 */
export async function runKills({ seed, kinds, patience = 1, ...more }) {
  const { script, dir } = await bundleVictim(more.address);
  try {
    const tallies = await Promise.all(
      kinds.map((kind, at) => killKind(kind, { ...more, seed: seed + at * 1_000_000, script, patience })),
    );
    if (tallies.some(({ problems }) => problems.length > 0)) return { tallies, found: null };
    return { tallies, found: await lookOver(await openStore(more.address)) };
  } finally {
    if (dir !== null) await rm(dir, { recursive: true, force: true });
  }
}
