import { missingFromSummary, userMessagesPart, writeSummary } from "../../view/scribe/index.ts";
import { decideNotesCompaction } from "../3-session-notes/rules/index.ts";
import type { CompactionPorts } from "./ports.ts";

/** What a compaction uses unless it is handed something else: the scribe, and the session's notes. */
export const usualPorts: CompactionPorts = {
  writeSummary: ({ view, items, maxTokens, measure, logAddress }) =>
    writeSummary({
      items,
      ledgers: view.ledgers,
      budgetTokens: maxTokens,
      estimate: measure,
      logAddress,
    }),
  missingFromSummary: ({
    summary,
    ledgers,
    sinceSeq,
    isKept,
    maxTokens,
    maxUserTokens,
    measure,
    logAddress,
  }) =>
    missingFromSummary(summary, ledgers, {
      windowTokens: maxUserTokens / userMessagesPart,
      estimate: measure,
      sinceSeq,
      isKept,
      maxTokens,
      logAddress,
    }).text,
  async decideNotesCompaction({ view, facts, maxKeptTokens }) {
    const decided = decideNotesCompaction(view, view.notes, facts, { maxKeepTokens: maxKeptTokens });
    if (decided.choice === "refuse") {
      const { reason, tokensAfter } = decided;
      return { use: false, reason, ...(tokensAfter !== undefined && { tokensAfter }) };
    }
    const { summary, kept } = decided;
    return { use: true, summary, ...(kept && { keptFromSeq: kept.headSeq }) };
  },
};
