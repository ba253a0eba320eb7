// npm run soak -- [--minutes N] [--seed S] [--store FOLDER|postgres://…]: everything at once on one data root, with kills, for N minutes.
// Prints what it has reached about once a minute, and a summary; ends with 1 where anything is not as promised.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { shownAddress } from "./reliability/open-store.mjs";
import { runSoak } from "./reliability/run-soak.mjs";

const usage = "Usage: npm run soak -- [--minutes N] [--seed S] [--store FOLDER|postgres://…]";
let values;
try {
  ({ values } = parseArgs({
    options: {
      minutes: { type: "string", default: "10" },
      seed: { type: "string", default: String(Date.now() % 2 ** 31) },
      store: { type: "string" },
    },
  }));
} catch (error) {
  console.error(`${error.message}\n${usage}`);
  process.exit(2);
}
const [minutes, seed] = [Number(values.minutes), Number(values.seed)];
if (!(minutes > 0) || !Number.isInteger(seed)) {
  console.error(`--minutes must be a number above 0, --seed a whole number.\n${usage}`);
  process.exit(2);
}

const megabytes = (bytes) => `${Math.round(bytes / 2 ** 20)} MB`;
const folder = values.store ?? (await mkdtemp(join(tmpdir(), "palimpsest-soak-")));
const started = performance.now();
const minutesOf = (ms) => (ms / 60_000).toFixed(1);
console.log(
  `Soak: ${minutes} minutes, seed ${seed} (repeat with --seed ${seed}), in ${shownAddress(folder)}`,
);
const sums = await runSoak({
  address: folder,
  seed,
  ms: minutes * 60_000,
  roundMs: 50_000,
  onRound({ rounds, kills, reached, found, diskBytes, residentBytes, ownBytes }) {
    const counts = Object.entries(reached).map(([name, count]) => `${count} ${name}`);
    const there = found
      ? `${found.sessions} sessions, ${found.entries} entries, ${found.versions} versions looked at`
      : "";
    console.log(
      `minute ${minutesOf(performance.now() - started)}, round ${rounds}: ${kills} kills, ${counts.join(", ")}; ${there}; at most ${megabytes(diskBytes)} on disk and ${megabytes(residentBytes)} in a worker, ${megabytes(ownBytes)} here`,
    );
  },
});
const hasFailed = sums.problems.length > 0;
for (const problem of sums.problems) console.log(`PROBLEM ${problem}`);
console.log(
  `${sums.rounds} rounds and ${sums.kills} kills in ${minutesOf(performance.now() - started)} minutes: ${hasFailed ? `${sums.problems.length} problems; everything is in ${shownAddress(folder)}` : "nothing lost, nothing doubled"}`,
);
if (!hasFailed && values.store === undefined) await rm(folder, { recursive: true, force: true });
process.exit(hasFailed ? 1 : 0);
