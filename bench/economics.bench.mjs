// What context policies cost and keep on recorded sessions, on one thread, with bounds that `palimpsest replay` lacks.
// npm run bench -- economics [FOLDER] [--ttl auto|5m|1h] [--json] [--policies a,b] [--policy FILE] [--limit FILES]
//   [--look-back BLOCKS] [--every-block]
// FOLDER holds recorded sessions, plain or gzip; PALIMPSEST_RECORDED_SESSIONS when absent. FILE is a module that exports
// `policy`. The last option is a bound: a cache with an entry at every block.
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import {
  policies as boxed,
  buildReport,
  createReplay,
  ratioRows,
  textReport,
} from "../packages/palimpsest/build/replay/index.js";
import { readRecordings } from "./economics-recordings.mjs";
import { machineLine } from "./machine-line.mjs";

const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: {
    ttl: { type: "string", default: "auto" },
    json: { type: "boolean", default: false },
    policies: { type: "string" },
    policy: { type: "string" },
    limit: { type: "string" },
    "look-back": { type: "string", default: "20" },
    "every-block": { type: "boolean", default: false },
  },
});

const folder = positionals[0] ?? process.env.PALIMPSEST_RECORDED_SESSIONS ?? "";
const own =
  values.policy === undefined ? [] : [(await import(pathToFileURL(resolve(values.policy)).href)).policy];
const known = [...boxed, ...own];
const wanted = values.policies?.split(",") ?? known.map(({ name }) => name);
const problem = findProblem();
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 2;
} else await compare();

function findProblem() {
  const unknown = wanted.find((name) => !known.some((policy) => policy.name === name));
  if (folder === "") return "No recorded sessions: give a folder (npm run bench -- economics FOLDER).";
  if (!["auto", "5m", "1h"].includes(values.ttl)) return `--ttl: “${values.ttl}” is none of auto, 5m, 1h.`;
  if (unknown === undefined) return undefined;
  return `--policies: there is no “${unknown}”. There are: ${known.map(({ name }) => name).join(", ")}.`;
}

async function compare() {
  const started = performance.now();
  const chosen = known.filter(
    (policy, at) => at === 0 || wanted.includes(policy.name) || own.includes(policy),
  );
  const { recordings, ...read } = await readRecordings(folder, values.limit && Number(values.limit));
  const options = {
    ttl: values.ttl,
    lookBackBlocks: Number(values["look-back"]),
    storesEveryBlock: values["every-block"],
    priceRows: ratioRows,
    hasCatalogRow: false,
  };
  const outcomes = [];
  const rows = ratioRows.map(({ name }) => name);
  const replay = createReplay(
    chosen.map((policy) => ({ policy, rows })),
    options,
  );
  for (const recording of recordings) outcomes.push(await replay.run(recording));
  const report = buildReport({
    ...read,
    ttl: options.ttl,
    priceRows: rows,
    policies: chosen.map(({ name }) => name),
    outcomes,
  });
  if (values.json) console.log(JSON.stringify(report, null, 2));
  else for (const line of textReport(report)) console.log(line);
  const seconds = ((performance.now() - started) / 1000).toFixed(0);
  const peak = Math.round(process.resourceUsage().maxRSS / 1024);
  console.error(`${seconds} s, ${peak} MiB at most; ${machineLine()}`);
}
