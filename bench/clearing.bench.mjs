// What clearing old tool results costs at 200,000 tokens: ours, LangChain's and the AI SDK's, on the same rounds.
// npm run bench -- clearing [--tokens 200000] [--samples 25]
import { parseArgs } from "node:util";
import { createOwnSessions } from "./clearing-ours.mjs";
import { clearingRounds } from "./clearing-rounds.mjs";
import { installOthers } from "./install-others.mjs";
import { machineLine } from "./machine-line.mjs";

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: { tokens: { type: "string", default: "200000" }, samples: { type: "string", default: "25" } },
});
const rounds = clearingRounds(Number(values.tokens));
const sessions = createOwnSessions(rounds);

/** Run before anything counts, so that all code measured is compiled. */
const warmUps = 5;

async function otherSides() {
  const { createLangChainClearing } = await import("./others/langchain.mjs");
  const { createAiSdkClearing } = await import("./others/ai-sdk.mjs");
  return [
    { name: "LangChain ClearToolUsesEdit.apply", ...createLangChainClearing(rounds) },
    { name: "AI SDK pruneMessages", ...createAiSdkClearing(rounds) },
  ];
}

/** Takes a sample of each row in turn, so that what else the machine does falls on all of them. */
async function measure(rows, samples) {
  const measured = rows.map(({ name }) => ({ name, times: [], cleared: 0 }));
  for (let run = 0; run < warmUps + samples; run += 1)
    for (const [at, { sample }] of rows.entries()) {
      const { time, cleared } = await sample();
      measured[at].cleared = cleared;
      if (run >= warmUps) measured[at].times.push(time);
    }
  return measured;
}

function print(what, measured) {
  const at = (times, share) => times.toSorted((a, b) => a - b)[Math.floor((times.length - 1) * share)];
  const line = (name, columns, cleared) =>
    console.log(`${name.padEnd(40)}${columns.map((one) => one.padStart(10)).join("")}  ${cleared}`);
  line(`\n${what}`, ["p50 ms", "p95 ms", "× ours"], "cleared");
  const ours = at(measured[0].times, 0.5);
  for (const { name, times, cleared } of measured) {
    const p50 = at(times, 0.5);
    line(`  ${name}`, [p50.toFixed(3), at(times, 0.95).toFixed(3), (p50 / ours).toFixed(2)], cleared);
  }
}

function expectCleared(measured, isExpected) {
  for (const { name, cleared } of measured)
    if (!isExpected(cleared)) throw new Error(`${name} cleared ${cleared} results.`);
}

try {
  console.log(`clearing on ${machineLine()}`);
  const absent = installOthers();
  const sides = absent === null ? await otherSides() : [];
  console.log(`${rounds.length} tool rounds, about ${values.tokens} tokens at four bytes each`);
  const waiting = await measure(
    [
      { name: "Palimpsest prepare", sample: sessions.nothingDue },
      ...sides.map(({ name, nothingDue }) => ({ name, sample: nothingDue })),
    ],
    10 * Number(values.samples),
  );
  expectCleared(waiting, (cleared) => cleared === 0);
  print("Nothing is due", waiting);
  const clearing = await measure(
    [
      ...["economic", "threshold", "cold"].map((strategy) => ({
        name: `Palimpsest prepare, ${strategy}`,
        sample: () => sessions.clearing(strategy),
      })),
      ...sides.map(({ name, clearing: sample }) => ({ name, sample })),
    ],
    Number(values.samples),
  );
  expectCleared(clearing, (cleared) => cleared > 0);
  print("Old results are cleared", clearing);
  if (absent !== null) console.log(`\nThe others are absent: they could not be installed (${absent}).`);
} finally {
  await sessions.remove();
}

console.log(`
Palimpsest: decides by cost, by a threshold or because the cache is cold, logs the decision on disk (durability
  “process”, waited for), keeps what was cleared for recall, repairs and validates the request, tells what the prompt
  cache will find. Each sample that clears is a session of its own, with a request prepared each round before.
LangChain: counts tokens with its default approximate counter (characters / 4), again after each result it clears, and
  puts a fixed text in place of all but the newest three. No validation, no log, no recall, no regard to the cache.
AI SDK: counts nothing, is told what to keep, and leaves calls and results out. No validation, no log, no recall, no
  regard to the cache.`);
