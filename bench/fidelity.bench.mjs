// What policies cost over the floor, beside the recorded agent, and what they keep: the headline of a replay, as a table.
// npm run bench -- fidelity FOLDER [--policies a,b] [--policy FILE] [--prices p,q] [--ttl auto|5m|1h] [--jobs N]
//   [--limit FILES] [--json]
// FOLDER holds recorded sessions, plain or gzip; PALIMPSEST_RECORDED_SESSIONS when absent. Without --policies, those that
// have goals. FILE is a module that exports `policy`. As `palimpsest replay` does it: in the order of time, fetches
// charged, at the three price rows or those that are named; one row takes a third of the time.
import { readdirSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { policies as boxed, ratioRow, ratioRows } from "../packages/palimpsest/build/replay/index.js";
import { goalsOfPolicies } from "../packages/palimpsest/build/replay/report/policy-goals.js";
import { replayFiles } from "../packages/palimpsest/build/surfaces/cli/replay/replay-files.js";
import { doJob } from "../packages/palimpsest/build/surfaces/cli/replay/replay-job.js";
import {
  createNoThreads,
  createThreads,
} from "../packages/palimpsest/build/surfaces/cli/replay/replay-threads.js";
import { loadPolicies } from "../packages/palimpsest/build/surfaces/local/sessions/find-files.js";
import { silentTerminal } from "../packages/palimpsest/build/surfaces/local/terminal.js";
import { fidelityLines, fidelityRows } from "./fidelity-table.mjs";
import { machineLine } from "./machine-line.mjs";

/** What the table needs: the floor's other end, the recorded agent, and what is judged. */
const always = ["identity", "recorded", "recorded-simulated"];
const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: {
    policies: { type: "string" },
    prices: { type: "string", default: ratioRows.map(({ name }) => name).join(",") },
    policy: { type: "string" },
    ttl: { type: "string", default: "auto" },
    jobs: { type: "string", default: String(availableParallelism()) },
    limit: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const folder = positionals[0] ?? process.env.PALIMPSEST_RECORDED_SESSIONS ?? "";
const known = boxed.map(({ name }) => name);
const asked = values.policies?.split(",") ?? known.filter((name) => goalsOfPolicies.has(name));
const names = [...new Set([...always, ...asked])];
const priceRows = values.prices.split(",").map((part) => ratioRow(Number(part)));
const problem = findProblem();
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 2;
} else await measure();

function findProblem() {
  const unknown = names.find((name) => !known.includes(name));
  if (folder === "") return "No recorded sessions: give a folder (npm run bench -- fidelity FOLDER).";
  if (!["auto", "5m", "1h"].includes(values.ttl)) return `--ttl: “${values.ttl}” is none of auto, 5m, 1h.`;
  if (priceRows.some(({ prices }) => !(prices.cacheRead > 0)))
    return `--prices: “${values.prices}” are not parts of the price of input, such as 0.1.`;
  if (!(Number(values.jobs) >= 1)) return `--jobs: “${values.jobs}” is not a number from 1 on.`;
  if (unknown === undefined) return undefined;
  return `--policies: there is no “${unknown}”. There are: ${known.join(", ")}.`;
}

async function measure() {
  const started = performance.now();
  const files = readdirSync(folder)
    .filter((name) => /\.jsonl(\.gz)?$/.test(name))
    .sort()
    .slice(0, values.limit && Number(values.limit))
    .map((name) => join(resolve(folder), name));
  const policyFiles = values.policy === undefined ? [] : [values.policy];
  const policies = await loadPolicies(names.join(","), policyFiles, process.cwd());
  const options = { ttl: values.ttl, lookBackBlocks: 20, priceRows, hasCatalogRow: false };
  const location = { home: join(resolve(folder), "no-home"), folder: process.cwd() };
  const shown = createShown();
  const threads =
    Number(values.jobs) > 1
      ? createThreads(
          Number(values.jobs),
          { ...location, policies: names.join(","), policyFiles, options },
          shown.run,
          new AbortController().signal,
        )
      : createNoThreads((job) =>
          doJob(job, {
            context: { ...location, terminal: silentTerminal(), now: () => Date.now() },
            policies,
            options,
            onRun: shown.run,
          }),
        );
  const report = await replayFiles({ files, policies, options, threads, shown });
  await threads.close();
  const rows = fidelityRows(report);
  const seconds = Math.round((performance.now() - started) / 100) / 10;
  if (values.json)
    console.log(
      JSON.stringify(
        {
          bench: "fidelity",
          machine: machineLine(),
          seconds,
          sessions: report.sessions,
          rows,
          goals: report.goals,
        },
        null,
        2,
      ),
    );
  else for (const line of fidelityLines(report, rows)) console.log(line);
  console.error(`${seconds} s on ${values.jobs} threads; ${machineLine()}`);
}

/** How far it is, where a person is looking. */
function createShown() {
  let done = 0;
  let all = 0;
  const show = (what) => process.stderr.isTTY && process.stderr.write(`\r${what} ${done}/${all} `);
  const begin = (what, count) => {
    done = 0;
    all = count;
    show(what);
  };
  const step = (what) => {
    done += 1;
    show(what);
  };
  return {
    looking: (files) => begin("reading", files),
    looked: () => step("reading"),
    replaying: (runs) => begin("replaying", runs),
    run: () => step("replaying"),
    ended: () => process.stderr.isTTY && process.stderr.write("\r\u001b[K"),
  };
}
