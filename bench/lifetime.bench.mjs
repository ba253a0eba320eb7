// What the lifetime of the prompt cache and keep-warm reads cost on recorded sessions that keep everything.
// npm run bench -- lifetime [FOLDER] [--limit FILES] [--most-reads N]
// FOLDER holds recorded sessions, plain or gzip; PALIMPSEST_RECORDED_SESSIONS when absent. Dollars relative to five minutes,
// at three prices of reading. Sessions are taken in the order of their time, so that what is learned is carried over.
import { parseArgs } from "node:util";
import { chooseLifetime } from "../packages/core/build/view/economics/choose-lifetime.js";
import { decideKeepWarm } from "../packages/core/build/view/economics/keep-warm.js";
import {
  addPauses,
  assumedPauses,
  noPauses,
  withEnd,
  withPause,
} from "../packages/core/build/view/economics/pauses.js";
import { ttlMsOf } from "../packages/core/build/view/economics/request-gaps.js";
import { createCacheSimulator } from "../packages/palimpsest/build/replay/cost/cache-simulator.js";
import { ratioRows, requestCost } from "../packages/palimpsest/build/replay/cost/price-row.js";
import { readRecordings } from "./economics-recordings.mjs";
import { toCacheInput, toSizedSession } from "./lifetime-sizes.mjs";
import { machineLine } from "./machine-line.mjs";

const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: { limit: { type: "string" }, "most-reads": { type: "string", default: "12" } },
});
const folder = positionals[0] ?? process.env.PALIMPSEST_RECORDED_SESSIONS ?? "";
const mostReads = Number(values["most-reads"]);
const fixed = (ttl) => () => ttl;
const auto = (question) => chooseLifetime(question).ttl;
const strategies = [
  { name: "5m", choose: fixed("5m") },
  { name: "1h", choose: fixed("1h") },
  { name: "auto", choose: auto },
  { name: "5m, five reads a pause", choose: fixed("5m"), mostReads: 5, isBlind: true },
  { name: "1h, three reads a pause", choose: fixed("1h"), mostReads: 3, isBlind: true },
  { name: "5m, keep-warm", choose: fixed("5m"), mostReads },
  { name: "1h, keep-warm", choose: fixed("1h"), mostReads },
  { name: "auto, keep-warm", choose: auto, mostReads },
  { name: "never cold", choose: fixed("5m"), isNeverCold: true },
];

if (folder === "") {
  console.error("No recorded sessions: give a folder (npm run bench -- lifetime FOLDER).");
  process.exitCode = 2;
} else await compare();

async function compare() {
  const { recordings, files } = await readRecordings(folder, values.limit && Number(values.limit));
  const sized = [];
  for (const recording of recordings) {
    const session = await toSizedSession(recording);
    if (session && session.requests.length > 0) sized.push(session);
  }
  sized.sort((one, other) => one.requests[0].sentMs - other.requests[0].sentMs);
  const requests = sized.reduce((sum, session) => sum + session.requests.length, 0);
  console.log(`${files} files, ${sized.length} sessions with known sizes, ${requests} requests`);
  console.log(
    `${"dollars relative to 5m; read at".padEnd(32)}${ratioRows.map(({ name }) => name.padStart(8)).join("")}`,
  );
  const results = strategies.map((strategy) => ratioRows.map((row) => spend(sized, row, strategy)));
  for (const [at, { name }] of strategies.entries()) {
    const shares = results[at].map(({ dollars }, row) =>
      (dollars / results[0][row].dollars).toFixed(3).padStart(8),
    );
    const reads = results[at].map((result) => result.reads).join(" / ");
    const long = results[at]
      .map((result) => `${Math.round((result.longLives / result.lives) * 100)} %`)
      .join(" / ");
    console.log(`${name.padEnd(32)}${shares.join("")}   reads ${reads}   for an hour ${long}`);
  }
  console.log(machineLine());
}

/** All sessions, one after the other, as on one machine. */
function spend(sessions, row, strategy) {
  const total = { dollars: 0, reads: 0, lives: 0, longLives: 0 };
  let learned = noPauses;
  for (const session of sessions) learned = spendSession(session, row, strategy, withEnd(learned), total);
  return total;
}

function spendSession({ requests }, { prices }, strategy, before, total) {
  let learned = before;
  let ttl;
  const cache = createCacheSimulator({ lookBackBlocks: 1 });
  let usedMs = 0;
  let former;
  for (const [index, request] of requests.entries()) {
    if (former) {
      const paused = request.sentMs - former.sentMs;
      const limits = limitsOf(strategy, ttl);
      if (limits && former.isCounted) keepWarm(former, request, index, limits);
      learned = withPause(learned, paused);
    }
    const isCold =
      ttl === undefined || request.sentMs - usedMs >= lifeOf(ttl) || former.model !== request.model;
    const pauses = addPauses(assumedPauses.interactive, learned);
    const keepWarmOf = strategy.mostReads !== undefined && { keepWarm: (asked) => limitsOf(strategy, asked) };
    const chosen = isCold ? strategy.choose({ ...questionOf(request, prices, pauses), ...keepWarmOf }) : ttl;
    if (isCold) {
      total.lives += 1;
      if (chosen === "1h") total.longLives += 1;
    }
    ttl = chosen;
    const use = cache.use(toCacheInput(request, former, index, ttl, clock(request.sentMs)));
    if (request.isCounted) total.dollars += requestCost(use, request.output, prices);
    usedMs = request.sentMs;
    former = request;
  }
  // Nobody comes back after the last one, and nobody tells the reads.
  const limits = limitsOf(strategy, ttl);
  if (limits && former.isCounted)
    keepWarm(former, { sentMs: Number.POSITIVE_INFINITY }, requests.length, limits);
  return learned;

  /** Where nothing ever expires, no time passes. */
  function clock(atMs) {
    return strategy.isNeverCold ? 0 : atMs;
  }

  function lifeOf(chosen) {
    return strategy.isNeverCold ? Number.POSITIVE_INFINITY : ttlMsOf(chosen);
  }

  /** Reads what the request before has left, as often as pays, until the next request comes. */
  function keepWarm(kept, next, at, limits) {
    const pauses = addPauses(assumedPauses.interactive, learned);
    for (let readsDone = 0; ; readsDone += 1) {
      const atMs = usedMs + limits.intervalMs;
      if (atMs >= next.sentMs) return;
      const decision = strategy.isBlind
        ? { due: readsDone < limits.mostReads }
        : decideKeepWarm({
            ...questionOf(kept, prices, pauses),
            ...limits,
            ttl,
            pausedMs: atMs - kept.sentMs,
            readsDone,
            dollarsLeft: Number.POSITIVE_INFINITY,
          });
      if (!decision.due) return;
      const use = cache.use(toCacheInput(kept, requests[at - 2], at - 1, ttl, atMs));
      total.dollars += requestCost(use, 1, prices);
      total.reads += 1;
      usedMs = atMs;
    }
  }
}

function limitsOf({ mostReads: most }, ttl) {
  return most === undefined ? null : { mostReads: most, intervalMs: ttlMsOf(ttl) * 0.9 };
}

function questionOf({ tokens }, prices, pauses) {
  return {
    use: "interactive",
    pauses,
    prices,
    promptTokens: tokens,
    answerTokens: 1,
    capabilities: { cacheMarkers: true, minCachedPrefix: 0 },
  };
}
