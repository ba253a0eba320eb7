import { isDatabase, openStore } from "./open-store.mjs";
import { betweenStores, runKills, witnessOf } from "./run-kills.mjs";
import { bytesBelow, residentBytes } from "./usage.mjs";

/** How long processes live, against those of the kill suite. */
const patience = 6;
const sampleMs = 1_000;
/** More than this in any process is a leak. */
const maxResidentBytes = 1024 * 2 ** 20;

/**
 * Everything at once on one data root: sessions that are appended to, resumed and compacted, memory writes, mail,
 * dreams, and kills of all of them. What was promised is checked after each kill, and all that is there after each round.
 */
export async function runSoak({ address, seed, ms, roundMs, onRound = () => undefined }) {
  const endMs = performance.now() + ms;
  const sums = {
    rounds: 0,
    kills: 0,
    reached: {},
    problems: [],
    diskBytes: 0,
    residentBytes: 0,
    ownBytes: 0,
  };
  const victims = new Set();
  const sample = () => {
    sums.residentBytes = Math.max(sums.residentBytes, ...[...victims].map(residentBytes));
    sums.ownBytes = Math.max(sums.ownBytes, residentBytes(process.pid));
  };
  const sampling = setInterval(sample, sampleMs);
  try {
    while (performance.now() < endMs && sums.problems.length === 0) {
      const untilMs = Math.min(endMs, performance.now() + roundMs);
      await soakRound({ address, seed: seed + sums.rounds * 10_000_000, untilMs, victims }, sums);
      sums.rounds += 1;
      const largestBytes = Math.max(sums.residentBytes, sums.ownBytes);
      if (largestBytes > maxResidentBytes) sums.problems.push(`${largestBytes} bytes in one process`);
      onRound(sums);
    }
  } finally {
    clearInterval(sampling);
  }
  return sums;
}

async function soakRound({ address, seed, untilMs, victims }, sums) {
  const { tallies, found } = await runKills({
    address,
    seed,
    patience,
    kinds: Object.keys(witnessOf).filter((kind) => !betweenStores.includes(kind)),
    isOver: ({ kills }) => kills > 0 && performance.now() >= untilMs,
    onStart: (pid) => victims.add(pid),
    onEnd: (pid) => victims.delete(pid),
  });
  for (const { kills, reached, problems } of tallies) {
    sums.kills += kills;
    sums.problems.push(...problems);
    for (const [name, count] of Object.entries(reached))
      sums.reached[name] = (sums.reached[name] ?? 0) + count;
  }
  if (found === null) return;
  sums.problems.push(...found.problems);
  Object.assign(sums, { found });
  if (!isDatabase(address)) sums.diskBytes = Math.max(sums.diskBytes, await bytesBelow(address));
  const store = await openStore(address);
  // The next round has sessions of its own: what was looked at goes, and the disk does not fill up.
  for (const { session } of (await store.logs.list()).value) {
    const removed = await store.logs.remove(session, "the round is over");
    if (!removed.ok) sums.problems.push(`${session} cannot be removed: ${removed.error.message}`);
  }
}
