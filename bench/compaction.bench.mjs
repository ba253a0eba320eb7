// What the engine's own compactions, by the scribe alone, keep at recorded boundaries for the calls that came behind
// them, within the tokens that the recorded harness took there; and what a compaction takes at 200,000 tokens.
// npm run bench -- compaction [FOLDER] [--tokens 200000] [--runs 15] [--each] [--json]
// FOLDER holds recorded Claude Code sessions, plain or gzip; PALIMPSEST_RECORDED_SESSIONS when absent. Without one, only
// the time is measured. --each prints what was missed.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { openSession } from "../packages/core/build/session/open-session.js";
import { readRecorded } from "./boundary-needs.mjs";
import { compactRecorded } from "./compaction-boundaries.mjs";
import { machineLine } from "./machine-line.mjs";
import { recordedTokens } from "./recorded-tokens.mjs";
import { createReporting } from "./reporting.mjs";
import { workMessages } from "./work-messages.mjs";

const { values, positionals } = parseArgs({
  args: process.argv.slice(3),
  allowPositionals: true,
  options: {
    tokens: { type: "string", default: "200000" },
    runs: { type: "string", default: "15" },
    each: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});

const folder = positionals[0] ?? process.env.PALIMPSEST_RECORDED_SESSIONS ?? "";
const withoutNotes = { sessionNotesEnabled: false, notesCompactionEnabled: false };
const variants = [
  { name: "scribe", settings: withoutNotes },
  { name: "notes", settings: {} },
];
const home = mkdtempSync(join(tmpdir(), "palimpsest-bench-"));
try {
  const times = await measureTimes();
  const measured = folder === "" ? [] : await measureBoundaries();
  const { headline, end } = createReporting("compaction", values.json);
  reportHeadlines(times, measured, headline);
  if (values.json) end({ times, measured });
  else print(times, measured);
} finally {
  rmSync(home, { recursive: true, force: true });
}

/** The same session is compacted, brought back, and compacted again. */
async function measureTimes() {
  const { messages } = workMessages(Number(values.tokens));
  const session = await openSession({
    home,
    cwd: home,
    model: "claude-sonnet-4-5[1m]",
    durability: "relaxed",
    settings: { ...withoutNotes, microcompactEnabled: false },
  });
  for (const message of messages) await session.add(message);
  const times = [];
  let tokens = { before: 0, after: 0 };
  for (let run = 0; run < Number(values.runs); run += 1) {
    const started = performance.now();
    const { tokensBefore, tokensAfter } = await session.compact();
    times.push(performance.now() - started);
    tokens = { before: tokensBefore, after: tokensAfter };
    await session.undo();
  }
  await session.close();
  const [firstMs] = times;
  times.sort((a, b) => a - b);
  return {
    tokens,
    messages: messages.length,
    firstMs,
    medianMs: times[times.length >> 1],
    maxMs: times.at(-1),
  };
}

async function measureBoundaries() {
  const sessions = (await readRecorded(folder)).map(({ session }) => session);
  const compacted = sessions.filter(({ requests }) => requests.some(({ segment }) => segment > 0));
  const tokensOf = recordedTokens(compacted);
  const measured = [];
  for (const { name, settings } of variants) {
    const rows = [];
    for (const [at, session] of compacted.entries())
      rows.push(...(await compactRecorded({ session, home, id: `${name}-${at}`, settings, tokensOf })));
    measured.push({ name, rows });
  }
  return measured;
}

function reportHeadlines({ tokens, medianMs }, measured, headline) {
  const what = `compact() by the scribe, ${tokens.before} to ${tokens.after} tokens, p50`;
  headline({ what, value: medianMs, unit: "ms" });
  for (const { name, rows } of measured.filter((one) => one.rows.length > 0)) {
    const sum = (of) => rows.reduce((total, row) => total + of(row), 0);
    const share = (label, kept, of, atLeast) =>
      of > 0 && headline({ what: `${label}, ${name}`, value: (100 * kept) / of, unit: "%", atLeast });
    const names = sum(({ ours }) => ours.names);
    share(
      `file names kept at ${rows.length} boundaries`,
      sum(({ ours }) => hits(ours)),
      names,
      98,
    );
    for (const type of ["edit_old", "num"])
      share(
        `${type} in view or one recall away`,
        sum(({ ours }) => ours.inView[type] + ours.recall[type]),
        sum(({ ours }) => ours.needed[type]),
        95,
      );
  }
}

function print(times, measured) {
  const { tokens, messages, firstMs, medianMs, maxMs } = times;
  console.log(`compaction on ${machineLine()}`);
  console.log(
    `session.compact() by the scribe alone, ${messages} messages, ${tokens.before} → ${tokens.after} tokens: p50 ${medianMs.toFixed(1)} ms, max ${maxMs.toFixed(1)}, first ${firstMs.toFixed(1)}`,
  );
  for (const { name, rows } of measured) printRows(name, rows);
  if (measured.length > 0) printWords();
}

function printRows(name, rows) {
  const how =
    name === "scribe" ? "notes compaction off: the scribe" : "notes compaction on, notes by the scribe";
  console.log(`\n${how}; ${rows.length} recorded boundaries, the 40 calls behind each`);
  console.log(
    "boundary    summary  +restored   ours   by       files   names rec./ours   edit_old rec./ours+recall   num rec./ours+recall",
  );
  for (const row of rows) {
    const { recorded, ours } = row;
    const cells = [
      row.name.padEnd(12),
      String(row.summaryTokens).padEnd(9),
      `${row.totalTokens}${row.isHeadKnown ? "" : "*"}`.padEnd(12),
      String(row.oursTokens).padEnd(7),
      row.strategy.padEnd(9),
      `${row.restored}/${row.restored + row.skipped}`.padEnd(8),
      `${hits(recorded)}/${hits(ours)} of ${ours.names}`.padEnd(18),
      `${atomsCell(recorded, ours, "edit_old")}`.padEnd(28),
      `${atomsCell(recorded, ours, "num")}`,
    ];
    console.log(cells.join(""));
    if (values.each) printMissed(ours);
  }
  printTotal(rows);
}

function hits({ names, missedNames }) {
  return names - missedNames.length;
}

function atomsCell(recorded, { inView, recall, needed }, type) {
  return `${recorded.inView[type]}/${inView[type]}+${recall[type]} of ${needed[type]}`;
}

function printMissed({ missedNames, missed }) {
  for (const name of missedNames) console.log(`    name ${name}`);
  for (const { type, atom, sources } of missed) {
    const where = sources.map(({ block }) => block.name ?? block.type).join(", ");
    console.log(`    ${type} ${JSON.stringify(atom.slice(0, 80))} in ${where.slice(0, 80)}`);
  }
}

function printTotal(rows) {
  if (rows.length === 0) {
    console.log("There is no recorded boundary in that folder.");
    return;
  }
  const sum = (of) => rows.reduce((total, row) => total + of(row), 0);
  const part = (count, of) => (of === 0 ? "–" : `${((100 * count) / of).toFixed(1)} %`);
  const mean = (of) => Math.round(sum(of) / rows.length);
  const names = sum(({ ours }) => ours.names);
  console.log(
    `tokens, mean: recorded summary ${mean((row) => row.summaryTokens)}, with what was restored ${mean((row) => row.totalTokens)}; ours ${mean((row) => row.oursTokens)}, over the recorded in ${rows.filter((row) => row.oursTokens > row.totalTokens).length}`,
  );
  console.log(
    `names (${names}): recorded summary ${part(
      sum(({ recorded }) => hits(recorded)),
      names,
    )}, ours ${part(
      sum(({ ours }) => hits(ours)),
      names,
    )} (goal ≥ 98 %)`,
  );
  for (const type of ["edit_old", "num"]) {
    const of = sum(({ ours }) => ours.needed[type]);
    const inView = sum(({ ours }) => ours.inView[type]);
    const recalled = inView + sum(({ ours }) => ours.recall[type]);
    console.log(
      `${type} (${of}): recorded summary ${part(
        sum(({ recorded }) => recorded.inView[type]),
        of,
      )}, ours in view ${part(inView, of)}, or one recall away ${part(recalled, of)} (goal ≥ 95 %)`,
    );
  }
  const chosen = sum((row) => row.restored + row.skipped);
  console.log(
    `files and lists to bring back: ${chosen}; brought back ${sum((row) => row.restored)}, not whole in the recording ${sum((row) => row.unknown)}, no room ${sum((row) => row.skipped - row.unknown)}`,
  );
  const times = rows.map(({ ms }) => ms).sort((a, b) => a - b);
  console.log(`compact(): p50 ${times[times.length >> 1].toFixed(1)} ms, max ${times.at(-1).toFixed(1)}`);
}

function printWords() {
  console.log(
    "\nTokens as the engine counts them, never too few. What the recorded harness restored is not in the transcripts: it is counted by the usage of the first request behind the boundary, less the session's system and tools (* not known: the most of any other session).",
  );
  console.log("The scribe was tuned on sessions like these: the numbers are in-sample.");
}
