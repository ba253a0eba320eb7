import { rm } from "node:fs/promises";
import { createSeededRandom } from "../../packages/testing/build/seeded-random.js";
import { openBothStores } from "./both-stores.mjs";
import { bundleVictim, plainVictim } from "./bundle-victim.mjs";
import { lookOver } from "./look-over.mjs";
import { isDatabase, openStore } from "./open-store.mjs";
import { startVictim } from "./start-victim.mjs";
import { createAppendWitness } from "./witnesses/append.mjs";
import { createDreamWitness } from "./witnesses/dream.mjs";
import { createMailboxWitness } from "./witnesses/mailbox.mjs";
import { createMemoryWitness } from "./witnesses/memory.mjs";
import { createMigrationWitness } from "./witnesses/migration.mjs";
import { createOffloadWitness } from "./witnesses/offload.mjs";

export const witnessOf = {
  append: createAppendWitness,
  offload: createOffloadWitness,
  memory: createMemoryWitness,
  mailbox: createMailboxWitness,
  dream: createDreamWitness,
  migration: createMigrationWitness,
};

/** Kinds that need a database beside a folder, whatever the store is. */
export const betweenStores = ["migration"];

/** How long after its last line a process on a database dies: somewhere in its next statements. */
const maxLateMs = 30;

/**
 * Three of four die in an operation of the disk, the others after some lines; on a database all of them do, between
 * stores half of them.
 */
function deathOf(random, { maxOperations, maxLines, isBetweenStores }, { patience, address }) {
  const afterLines = 1 + random.below(maxLines * patience);
  if (isBetweenStores ? random.below(2) === 0 : isDatabase(address))
    return { afterLines, lateMs: random.below(maxLateMs) };
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
async function killKind(kind, { address, stores, seed, patience, isOver, onRound, onStart, onEnd, ...more }) {
  const random = createSeededRandom(seed);
  const witness = witnessOf[kind]({ openStore: () => openStore(address), stores, seed });
  const script = witness.isBetweenStores ? plainVictim : more.script;
  const tally = { kind, kills: 0, problems: [], reached: {} };
  while (!isOver(tally) && tally.problems.length === 0) {
    const orders = await witness.orders();
    const victims = orders.map((order) =>
      startVictim(script, { address, ...order, death: deathOf(random, witness, { patience, address }) }),
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
  if (tally.problems.length === 0) tally.problems.push(...((await witness.end?.()) ?? []));
  return tally;
}

/**
 * Kills processes of several kinds, side by side over one store, and looks over all that is there in the end. Gives what
 * each kind came to; the first problem ends its kind. With `patience` processes live that many times longer.
 */
export async function runKills({ seed, kinds, patience = 1, ...more }) {
  const { script, dir } = await bundleVictim(more.address);
  const stores = kinds.some((kind) => betweenStores.includes(kind))
    ? await openBothStores(more.address)
    : null;
  let isKept = true;
  try {
    const tallies = await Promise.all(
      kinds.map((kind, at) =>
        killKind(kind, { ...more, stores, seed: seed + at * 1_000_000, script, patience }),
      ),
    );
    if (tallies.some(({ problems }) => problems.length > 0)) return { tallies, found: null };
    isKept = false;
    return { tallies, found: await lookOver(await openStore(more.address)) };
  } finally {
    await stores?.close({ isKept });
    if (dir !== null) await rm(dir, { recursive: true, force: true });
  }
}
