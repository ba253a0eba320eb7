// What summaries of the scribe's keep at the boundaries of recorded sessions, for the calls that came behind them.

import { createLedgers } from "../packages/core/build/view/ledgers/index.js";
import { createProjection } from "../packages/core/build/view/projection/projection.js";
import { shortId } from "../packages/core/build/view/quote-foreign.js";
import { missingFromSummary, writeSummary } from "../packages/core/build/view/scribe/index.js";
import { estimateContent } from "../packages/core/build/view/tokens/index.js";
import { boundaryNeeds, hasName } from "./boundary-needs.mjs";

const windowTokens = 200_000;

/** Every boundary of a session, with what the scribe and the recorded harness wrote there; the scribe's goes on. */
export function boundariesOf({ session, entries }, budgetTokens, tally) {
  const needsAt = boundaryNeeds(session);
  const projection = createProjection();
  const ledgers = createLedgers();
  let segment = 0;
  for (const entry of entries) {
    const isBoundary = entry.kind === "decision" && entry.decision.type === "compact";
    if (!isBoundary) {
      projection.add(entry);
      if (entry.kind === "message") ledgers.add(entry);
      continue;
    }
    segment += 1;
    const written = write(projection.projected.items, ledgers.ledgers(), budgetTokens);
    const recorded = textOf(entry.decision.summary);
    const needs = needsAt(segment);
    if (needs) measure({ needs, written, recorded, tally });
    const summary = {
      type: "user",
      content: `${written.summary}\n${written.appendix}`,
      isCompactSummary: true,
    };
    projection.add({ ...entry, decision: { ...entry.decision, summary } });
  }
}

function write(items, ledgers, budgetTokens) {
  const estimate = (text) => estimateContent(text);
  const started = performance.now();
  const summary = writeSummary({ items, ledgers, budgetTokens, estimate });
  const ms = performance.now() - started;
  const appendix = missingFromSummary(summary, ledgers, { windowTokens, estimate }).text;
  const sessionTokens = items.reduce((sum, { block }) => sum + estimateContent([block]), 0);
  return { summary, appendix, ms, sessionTokens };
}

export function textOf(message) {
  if (!message) return "";
  return typeof message.content === "string"
    ? message.content
    : message.content.map(({ text }) => text).join("\n");
}

function measure({ needs, written, recorded, tally }) {
  const texts = { scribe: `${written.summary}\n${written.appendix}`, recorded };
  tally.boundaries += 1;
  tally.ms.push(written.ms);
  tally.sessionTokens.push(written.sessionTokens);
  tally.summaryTokens += estimateContent(written.summary);
  tally.appendixTokens += estimateContent(written.appendix);
  tally.recordedTokens += estimateContent(recorded);
  tally.names += needs.names.length;
  for (const who of ["scribe", "recorded"])
    tally[who].names += needs.names.filter((name) => hasName(texts[who], name)).length;
  for (const { type, text, sources } of needs.atoms) {
    tally.atoms[type] += 1;
    const handles = sources
      .flatMap(({ block, key }) => [block.id ?? block.tool_use_id, key.replace(/:\d+$/, "")])
      .flatMap((id) => (id === undefined ? [] : [id, shortId(id)]));
    for (const who of ["scribe", "recorded"]) {
      if (texts[who].includes(text)) tally[who].inView[type] += 1;
      else if (handles.some((id) => texts[who].includes(id))) tally[who].recall[type] += 1;
    }
  }
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
