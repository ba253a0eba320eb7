// What summaries keep at the boundaries of recorded sessions, for the calls that came behind them.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { createLedgers } from "../dist/context/ledgers/index.js";
import { createProjection } from "../dist/context/projection/projection.js";
import { missingFromSummary, writeSummary } from "../dist/context/scribe/index.js";
import { estimateContent } from "../dist/context/tokens/index.js";
import { importTranscript } from "../dist/log/import/index.js";
import { extractAtoms } from "../dist/replay/grounding/extract-atoms.js";
import { recordedBlocks } from "../dist/replay/grounding/recorded-blocks.js";
import { normalize, withoutDuplicates } from "../dist/replay/index.js";
import { signedText } from "./signed-text.mjs";

const nextCalls = 40;
const windowTokens = 200_000;
const fileTools = new Set(["Read", "Edit", "Write", "MultiEdit", "NotebookEdit"]);

/** The sessions of a folder that were compacted, each once, with their entries. */
export async function readCompacted(folder) {
  const entriesOf = new Map();
  const read = [];
  for (const file of readdirSync(folder).sort()) {
    if (!/\.jsonl(\.gz)?$/.test(file)) continue;
    const bytes = readFileSync(join(folder, file));
    const text = (file.endsWith(".gz") ? gunzipSync(bytes) : bytes).toString("utf8");
    const entries = [];
    const imported = await importTranscript(chunks(signedText(text)), { file }, (entry) =>
      entries.push(entry),
    );
    if (!imported.ok) continue;
    const session = normalize(entries, file);
    entriesOf.set(session, entries);
    read.push(session);
  }
  const { sessions } = withoutDuplicates(read);
  return sessions.map((session) => ({ session, entries: entriesOf.get(session) }));
}

async function* chunks(text) {
  yield Buffer.from(text);
}

/** Every boundary of a session, with what the scribe and the recorded harness wrote there; the scribe's goes on. */
export function boundariesOf({ session, entries }, budgetTokens, tally) {
  const blocks = recordedBlocks(session);
  const projection = createProjection();
  const ledgers = createLedgers();
  let segment = 0;
  let lastBoundary = 0;
  for (const entry of entries) {
    const isBoundary = entry.kind === "decision" && entry.decision.type === "compact";
    if (!isBoundary) {
      projection.add(entry);
      if (entry.kind === "message") ledgers.add(entry);
      continue;
    }
    segment += 1;
    const written = write(projection.projected.items, ledgers.ledgers(), budgetTokens, lastBoundary);
    const recorded = textOf(entry.decision.summary);
    measure({ session, blocks, segment, written, recorded, tally });
    const summary = {
      type: "user",
      content: `${written.summary}\n${written.appendix}`,
      isCompactSummary: true,
    };
    projection.add({ ...entry, decision: { ...entry.decision, summary } });
    lastBoundary = entry.seq;
  }
}

function write(items, ledgers, budgetTokens, sinceSeq) {
  const estimate = (text) => estimateContent(text);
  const started = performance.now();
  const summary = writeSummary({ items, ledgers, budgetTokens, estimate });
  const ms = performance.now() - started;
  const appendix = missingFromSummary(summary, ledgers, { windowTokens, estimate, sinceSeq }).text;
  const sessionTokens = items.reduce((sum, { block }) => sum + estimateContent([block]), 0);
  return { summary, appendix, ms, sessionTokens };
}

function textOf(message) {
  if (!message) return "";
  return typeof message.content === "string"
    ? message.content
    : message.content.map(({ text }) => text).join("\n");
}

function measure({ session, blocks, segment, written, recorded, tally }) {
  const texts = { scribe: `${written.summary}\n${written.appendix}`, recorded };
  const summaries = new Set(
    session.requests.flatMap((one) =>
      one.before.filter(({ kind }) => kind === "boundary").map(({ id }) => id),
    ),
  );
  const said = blocks.filter(({ key }) => !summaries.has(key.replace(/:\d+$/, "")));
  const before = said.filter((block) => block.segment < segment);
  const seen = before.map(({ text }) => text).join("\n");
  const uses = session.requests
    .filter((request) => request.segment === segment)
    .flatMap(({ index, response }) =>
      response.content.flatMap((block) => (block.type === "tool_use" ? [{ index, use: block }] : [])),
    )
    .slice(0, nextCalls);
  if (uses.length === 0) return;
  tally.boundaries += 1;
  tally.ms.push(written.ms);
  tally.sessionTokens.push(written.sessionTokens);
  tally.summaryTokens += estimateContent(written.summary);
  tally.appendixTokens += estimateContent(written.appendix);
  tally.recordedTokens += estimateContent(recorded);
  for (const name of namesIn(uses, session.cwd)) {
    if (!seen.includes(name)) continue;
    tally.names += 1;
    for (const who of ["scribe", "recorded"]) if (texts[who].includes(baseOf(name))) tally[who].names += 1;
  }
  for (const { atom, index } of atomsOf(uses)) {
    const after = said.filter((block) => block.segment === segment && block.request <= index);
    if (after.some(({ text }) => text.includes(atom.text))) continue;
    const sources = before.filter(({ text }) => text.includes(atom.text));
    if (sources.length === 0 || session.cwd?.includes(atom.text)) continue;
    tally.atoms[atom.type] += 1;
    const handles = sources.flatMap(({ block, key }) => [
      block.id ?? block.tool_use_id,
      key.replace(/:\d+$/, ""),
    ]);
    for (const who of ["scribe", "recorded"]) {
      if (texts[who].includes(atom.text)) tally[who].inView[atom.type] += 1;
      else if (handles.some((id) => id !== undefined && texts[who].includes(id)))
        tally[who].recall[atom.type] += 1;
    }
  }
}

const baseOf = (path) => path.slice(path.lastIndexOf("/") + 1);

/** Files that calls name: what file tools open, and paths in what other tools are given. */
function namesIn(uses, cwd = "") {
  const names = new Set();
  const add = (path) => names.add(path.startsWith(`${cwd}/`) ? path.slice(cwd.length + 1) : path);
  for (const { use } of uses) {
    if (fileTools.has(use.name)) {
      if (typeof use.input?.file_path === "string") add(use.input.file_path);
    } else {
      for (const text of [use.input?.command, use.input?.path].filter((one) => typeof one === "string"))
        for (const [path] of text.matchAll(/[\w.@~+-]*(?:\/[\w.@+-]+)+\.[A-Za-z]\w{0,7}\b/g)) add(path);
    }
  }
  return names;
}

function atomsOf(uses) {
  return uses.flatMap(({ use, index }) =>
    extractAtoms(use)
      .filter(({ type }) => type === "edit_old" || type === "num")
      .map((atom) => ({ atom, index })),
  );
}

export function emptyTally() {
  const kinds = () => ({ edit_old: 0, num: 0 });
  const who = () => ({ names: 0, inView: kinds(), recall: kinds() });
  return {
    boundaries: 0,
    names: 0,
    atoms: kinds(),
    scribe: who(),
    recorded: who(),
    summaryTokens: 0,
    appendixTokens: 0,
    recordedTokens: 0,
    ms: [],
    sessionTokens: [],
  };
}
