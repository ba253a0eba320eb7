// What searching past sessions costs: the index on disk beside minisearch in memory, on the same entries and queries.
// npm run bench -- search [--entries 100000] [--queries 500] [--json]
// --json: without minisearch, for programs
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  createCollection,
  createCollectionSearch,
  createTokenizer,
} from "../packages/core/build/recall/index.js";
import { createRuntime } from "../packages/core/build/runtime.js";
import { openRecall } from "../packages/core/build/session/recall-index/index.js";
import { openFileStore } from "../packages/core/build/stores/files/index.js";
import { createRecallIndexFiles } from "../packages/core/build/stores/files/recall-index/recall-index-files.js";
import { installOthers } from "./install-others.mjs";
import { machineLine } from "./machine-line.mjs";
import { createReporting } from "./reporting.mjs";
import { createEntries, createQueries, messagesPerSession, queryMix } from "./search-entries.mjs";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    entries: { type: "string", default: "100000" },
    queries: { type: "string", default: "500" },
    json: { type: "boolean", default: false },
  },
});
const { say, headline, end } = createReporting("search", values.json);
const limit = 10;
const coldRounds = 9;
const project = "bench-00000000";
const home = mkdtempSync(join(tmpdir(), "palimpsest-bench-"));
const { clock, ids } = createRuntime();

const must = (result) => {
  if (!result.ok) throw result.error;
  return result.value;
};
const at = (times, share) => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)];
const line = (what, said) => say(`  ${what.padEnd(52)} ${said}`);
const inMs = (ms) => `${ms < 10 ? ms.toFixed(2) : ms.toFixed(0)} ms`;
const spread = (times) =>
  `p50 ${inMs(at(times, 0.5))}   p95 ${inMs(at(times, 0.95))}   max ${inMs(Math.max(...times))}`;

async function timed(work) {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Wall time, and the CPU time beside it. */
async function bothTimes(work) {
  const worked = cpuMs();
  const ms = await timed(work);
  return `${inMs(ms)}   CPU ${inMs(cpuMs() - worked)}`;
}

/** What this process has worked, whatever else ran on the machine. */
function cpuMs() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** The queries in turn, once to warm up and once to measure: wall times, and CPU times beside them. */
async function measure(queries, search) {
  for (const query of queries) await search(query);
  const times = [];
  times.cpu = [];
  for (const query of queries) {
    const worked = cpuMs();
    times.push(await timed(() => search(query)));
    times.cpu.push(cpuMs() - worked);
  }
  return times;
}

const besideCpu = (times) =>
  `${spread(times)}   CPU p50 ${inMs(at(times.cpu, 0.5))} p95 ${inMs(at(times.cpu, 0.95))}`;

const reportAtExit = new URL("./report-at-exit.mjs", import.meta.url).href;

/** Processes of their own, one after the other: from their beginning to their end, by their own clock. */
function measureProcesses(argumentsOf) {
  const times = [];
  times.cpu = [];
  for (let round = 0; round < coldRounds; round += 1) {
    const args = ["--import", reportAtExit, ...argumentsOf(round)];
    const env = { ...process.env, PALIMPSEST_HOME: home };
    const { status, stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env });
    if (status !== 0) throw new Error(stderr);
    const said = JSON.parse(stderr.trim().split("\n").at(-1));
    times.push(said.ms);
    times.cpu.push(said.cpuMs);
  }
  return times;
}

const toDraft = ({ text }) => ({ kind: "message", message: { type: "user", content: text } });

async function writeSessions(store, entries) {
  for (let from = 0; from < entries.length; from += messagesPerSession) {
    const batch = entries.slice(from, from + messagesPerSession);
    const writer = must(
      await store.logs.create({ kind: "session", session: { id: batch[0].session, project } }),
    );
    must(await writer.append(batch.map(toDraft)));
    must(await writer.close());
  }
}

async function addTo(store, recall, entries) {
  const writer = must(await store.logs.open(entries[0].session, () => undefined));
  must(await writer.append(entries.map(toDraft)));
  must(await writer.close());
  return bothTimes(async () => must(await recall.update()));
}

async function rememberTo(store, recall, name) {
  const text = `---\nname: ${name}\ndescription: when measuring\ntype: project\n---\n${name} is remembered.\n`;
  must(await store.tree("memory").write(`${name}.md`, text, { author: "user" }));
  return bothTimes(async () => must(await recall.update()));
}

async function measureMiniSearch(entries, queries) {
  const { default: MiniSearch } = await import("./others/node_modules/minisearch/dist/es/index.js");
  const index = new MiniSearch({ fields: ["text"] });
  line("minisearch, index made in memory", inMs(await timed(() => index.addAll(entries))));
  const times = await measure(queries, (query) => index.search(query).slice(0, limit));
  line("minisearch, search", spread(times));
  line(
    "minisearch, one entry more",
    inMs(await timed(() => index.add({ ...entries[0], id: entries.length }))),
  );
  const json = JSON.stringify(index);
  line(
    `minisearch, index read from JSON of ${Math.round(json.length / 1e6)} MB`,
    inMs(await timed(() => MiniSearch.loadJSON(json, { fields: ["text"] }))),
  );
  return times;
}

try {
  say(`search on ${machineLine()}`);
  const entries = createEntries(Number(values.entries));
  const queries = createQueries(entries, Number(values.queries));
  const words = entries.reduce((sum, { text }) => sum + text.split(" ").length, 0);
  say(
    `${entries.length} messages of ${Math.round(words / entries.length)} words in ${entries.length / messagesPerSession} sessions; ` +
      `${queries.length} queries: ${queryMix.map(({ name, share }) => `${share * 100} % ${name}`).join(", ")}`,
  );
  const store = must(await openFileStore({ home, project }));
  await writeSessions(store, entries);
  const folder = `${store.layout.root}/recall`;
  const open = () => openRecall({ store, disk: store.disk, folder, clock, ids });
  const recall = open();
  const update = async () => must(await recall.update());
  line("index made from the logs, on disk", await bothTimes(update));
  const bytes = readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
  line("its files", `${(bytes / 1e6).toFixed(1)} MB`);
  line("update, nothing new", await bothTimes(update));
  line("update, 1 message more", await addTo(store, recall, entries.slice(0, 1)));
  line("update, 100 messages more", await addTo(store, recall, entries.slice(0, 100)));
  line("update, 1 memory more", await rememberTo(store, recall, "measuring"));

  const state = must(await createRecallIndexFiles({ disk: store.disk, folder, ids }).load());
  const search = createCollectionSearch(
    createCollection(state.contents.segments.map(({ segment }) => segment)),
  );
  const { terms } = createTokenizer();
  const rank = (query) => search.rank({ terms: terms(query, "query"), limit, nowMs: clock.now() });
  const lexical = await measure(queries, rank);
  headline({
    what: `rank, p95, ${entries.length} messages`,
    value: at(lexical, 0.95),
    unit: "ms",
    atMost: 5,
  });
  line("rank (words to the ten best; goal p95 ≤ 5 ms)", besideCpu(lexical));
  const whole = await measure(queries, async (query) => must(await recall.search(query, { limit })));
  headline({ what: "search with reading and snippets, p95", value: at(whole, 0.95), unit: "ms" });
  line("search (rank, look for newer, read ten, snippets)", besideCpu(whole));
  const script = new URL("./search-once.mjs", import.meta.url).pathname;
  const cold = Array.from({ length: coldRounds }, (_, round) =>
    JSON.parse(execFileSync(process.execPath, [script, home, queries[round]], { encoding: "utf8" })),
  );
  const times = Object.assign(
    cold.map(({ ms }) => ms),
    { cpu: cold.map((one) => one.cpuMs) },
  );
  line("first answer of a cold process, library", besideCpu(times));
  line("  of which after its modules were loaded", spread(cold.map(({ ownMs }) => ownMs)));
  line("  peak memory", `${Math.round(Math.max(...cold.map(({ rss }) => rss)) / 1e6)} MB`);
  const main = new URL("../packages/palimpsest/dist/cli.js", import.meta.url).pathname;
  const command = measureProcesses((round) => [
    main,
    ...["memory", "search", "--project", project],
    ...queries[round].split(" "),
  ]);
  headline({
    what: "“palimpsest memory search”, cold, p50",
    value: at(command, 0.5),
    unit: "ms",
    atMost: 300,
  });
  line("“palimpsest memory search”, cold (goal ≤ 300 ms)", besideCpu(command));
  line("  a process that does nothing", besideCpu(measureProcesses(() => ["-e", "0"])));
  const absent = values.json ? "not asked for" : installOthers();
  if (absent !== null) say(`\nminisearch is absent: it could not be installed (${absent}).`);
  else {
    const others = await measureMiniSearch(entries, queries);
    line(
      "minisearch search / ours with reading, p50 and p95",
      [0.5, 0.95].map((share) => `× ${(at(others, share) / at(whole, share)).toFixed(1)}`).join("   "),
    );
  }
  end();
} finally {
  rmSync(home, { recursive: true, force: true });
}
