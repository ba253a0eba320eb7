// node scripts/kill-fuzz.mjs [--runs N] [--kinds append,offload,…] [--seed S] [--store FOLDER|postgres://…]: kills processes at random
// points of their work, and looks after each whether everything acknowledged is there, once. Needs a build.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { postgresAbsence } from "./postgres/start-postgres.mjs";
import { isDatabase, shownAddress } from "./reliability/open-store.mjs";
import { betweenStores, runKills, witnessOf } from "./reliability/run-kills.mjs";

const usage = `Usage: node scripts/kill-fuzz.mjs [--runs N] [--kinds ${Object.keys(witnessOf)}] [--seed S] [--store FOLDER|postgres://…]`;
const { values } = parseArgs({
  options: {
    runs: { type: "string", default: "10000" },
    kinds: { type: "string" },
    seed: { type: "string", default: String(Date.now() % 2 ** 31) },
    store: { type: "string" },
  },
});
const [runs, seed] = [Number(values.runs), Number(values.seed)];
// A database beside a folder is the server's that is packaged for tests.
const absence = isDatabase(values.store ?? "") ? null : postgresAbsence();
const isPossible = (kind) => absence === null || !betweenStores.includes(kind);
const kinds = values.kinds?.split(",") ?? Object.keys(witnessOf).filter(isPossible);
if (!(runs > 0) || !Number.isInteger(seed) || kinds.some((kind) => !(kind in witnessOf))) {
  console.error(usage);
  process.exit(2);
}
if (!kinds.every(isPossible)) {
  console.error(`${kinds.filter((kind) => !isPossible(kind))} cannot be done: ${absence}`);
  process.exit(2);
}
if (!values.kinds && absence !== null) console.log(`${betweenStores} is left out: ${absence}`);

const folder = values.store ?? (await mkdtemp(join(tmpdir(), "palimpsest-kills-")));
const perKind = Math.ceil(runs / kinds.length);
const started = performance.now();
let toldMs = started;
const sums = new Map();
const linesOf = ({ kind, kills, reached }) => `${kind}: ${kills} kills, ${JSON.stringify(reached)}`;
console.log(`${runs} kills, seed ${seed} (repeat with --seed ${seed}), in ${shownAddress(folder)}`);
const { tallies, found } = await runKills({
  address: folder,
  seed,
  kinds,
  isOver: ({ kills }) => kills >= perKind,
  onRound(tally) {
    sums.set(tally.kind, tally);
    if (performance.now() - toldMs < 60_000) return;
    toldMs = performance.now();
    console.log([...sums.values()].map(linesOf).join("\n"));
  },
});
for (const tally of tallies)
  console.log(linesOf(tally), ...tally.problems.map((problem) => `\n  ${problem}`));
for (const problem of found?.problems ?? []) console.log(`  ${problem}`);
const hasFailed = found === null || found.problems.length > 0;
console.log(
  `${tallies.reduce((sum, { kills }) => sum + kills, 0)} kills in ${Math.round((performance.now() - started) / 1000)} s: ${hasFailed ? `something is wrong; everything is in ${shownAddress(folder)}` : "nothing lost, nothing doubled"}`,
);
if (!hasFailed && values.store === undefined) await rm(folder, { recursive: true, force: true });
process.exit(hasFailed ? 1 : 0);
