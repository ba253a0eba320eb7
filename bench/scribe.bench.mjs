// What the scribe takes to write a summary at 200,000 tokens, and what its summaries keep at recorded boundaries.
// npm run bench -- scribe [FOLDER] [--tokens 200000] [--runs 25] [--budgets 2000,4000,8000,12000] [--json]
// FOLDER holds recorded Claude Code sessions, plain or gzip; PALIMPSEST_RECORDED_SESSIONS when absent. Without one, only
// the time is measured.
import { parseArgs } from "node:util";
import { createLedgers } from "../packages/core/build/view/ledgers/index.js";
import { createProjection } from "../packages/core/build/view/projection/projection.js";
import { missingFromSummary, writeNotes, writeSummary } from "../packages/core/build/view/scribe/index.js";
import { estimateContent } from "../packages/core/build/view/tokens/index.js";
import { readRecorded } from "./boundary-needs.mjs";
import { machineLine } from "./machine-line.mjs";
import { createReporting } from "./reporting.mjs";
import { boundariesOf, emptyTally } from "./scribe-boundaries.mjs";
import { workMessages } from "./work-messages.mjs";

const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: {
    tokens: { type: "string", default: "200000" },
    runs: { type: "string", default: "25" },
    budgets: { type: "string", default: "2000,4000,8000,12000" },
    json: { type: "boolean", default: false },
  },
});

const folder = positionals[0] ?? process.env.PALIMPSEST_RECORDED_SESSIONS ?? "";
const estimate = (text) => estimateContent(text);
const times = measureTimes();
const rows = folder === "" ? [] : await measureBoundaries();
const { headline, end } = createReporting("scribe", values.json);
reportHeadlines();
if (values.json) end({ times, rows });
else print();

/** The view and the ledgers of a session of so many tokens. */
function session() {
  const projection = createProjection();
  const ledgers = createLedgers();
  const { messages, tokens } = workMessages(Number(values.tokens));
  for (const [at, { role, content }] of messages.entries()) {
    const seq = at + 1;
    const time = new Date(Date.UTC(2026, 0, 1) + seq * 1000).toISOString();
    const message = { type: role, content };
    const entry = { v: 1, epoch: 1, kind: "message", id: `e${seq}`, seq, at: time, message };
    projection.add(entry);
    ledgers.add(entry);
  }
  return { items: projection.projected.items, ledgers: ledgers.ledgers(), tokens };
}

function measureTimes() {
  const { items, ledgers, tokens } = session();
  const input = { items, ledgers, budgetTokens: 8_000, estimate };
  const summary = writeSummary(input);
  const works = {
    writeSummary: () => writeSummary(input),
    writeNotes: () => writeNotes(input),
    missingFromSummary: () => missingFromSummary(summary, ledgers, { windowTokens: 200_000, estimate }),
  };
  const measured = Object.entries(works).map(([name, work]) => {
    const all = Array.from({ length: Number(values.runs) }, () => {
      const started = performance.now();
      work();
      return performance.now() - started;
    });
    const [first] = all;
    all.sort((a, b) => a - b);
    return { name, firstMs: first, medianMs: all[all.length >> 1], maxMs: all.at(-1) };
  });
  return { tokens, items: items.length, measured };
}

async function measureBoundaries() {
  const sessions = await readRecorded(folder);
  return values.budgets.split(",").map((budget) => {
    const tally = emptyTally();
    for (const one of sessions) boundariesOf(one, Number(budget), tally);
    return { budgetTokens: Number(budget), ...tally };
  });
}

function reportHeadlines() {
  for (const { name, medianMs } of times.measured)
    headline({
      what: `${name}, p50, ${times.tokens} tokens`,
      value: medianMs,
      unit: "ms",
      ...(name === "writeSummary" && { atMost: 50 }),
    });
  for (const { budgetTokens, scribe, names, boundaries } of rows)
    if (names > 0)
      headline({
        what: `file names kept at ${boundaries} recorded boundaries, budget ${budgetTokens}`,
        value: (100 * scribe.names) / names,
        unit: "%",
        atLeast: 98,
      });
}

function print() {
  console.log(`scribe on ${machineLine()}`);
  console.log(`a session of ${times.tokens} tokens, ${times.items} blocks; budget 8000`);
  for (const { name, firstMs, medianMs, maxMs } of times.measured) {
    const goal = name === "writeSummary" ? " (goal ≤ 50)" : "";
    console.log(
      `  ${name.padEnd(20)} p50 ${medianMs.toFixed(1)} ms${goal}, first ${firstMs.toFixed(1)}, slowest ${maxMs.toFixed(1)}`,
    );
  }
  if (rows.length === 0) return;
  const part = (count, of) => (of === 0 ? "–" : `${((100 * count) / of).toFixed(1)} %`);
  const [{ boundaries, names, atoms, recorded, recordedTokens }] = rows;
  console.log(
    `${boundaries} recorded boundaries; the 40 calls behind each; the scribe's summaries follow each other`,
  );
  console.log(
    `${names} file names seen before, ${atoms.edit_old} edit_old and ${atoms.num} num atoms not seen since`,
  );
  console.log("budget   names     edit_old in view, + recall   num in view, + recall   tokens, appendix");
  for (const { budgetTokens, scribe, summaryTokens, appendixTokens } of rows) {
    const kept = (type) =>
      `${part(scribe.inView[type], atoms[type])}, ${part(scribe.inView[type] + scribe.recall[type], atoms[type])}`;
    const size = `${Math.round(summaryTokens / boundaries)}, ${Math.round(appendixTokens / boundaries)}`;
    console.log(
      `${String(budgetTokens).padEnd(9)}${part(scribe.names, names).padEnd(10)}${kept("edit_old").padEnd(29)}${kept("num").padEnd(24)}${size}`,
    );
  }
  const inView = (type) => part(recorded.inView[type], atoms[type]);
  console.log(
    `recorded ${part(recorded.names, names).padEnd(10)}${inView("edit_old").padEnd(29)}${inView("num").padEnd(24)}${Math.round(recordedTokens / boundaries)}`,
  );
  console.log("names: goal ≥ 98 %. The scribe was tuned on sessions like these: the numbers are in-sample.");
}
