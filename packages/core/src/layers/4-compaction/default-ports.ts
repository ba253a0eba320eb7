import { missingFromSummary, userMessagesPart, writeSummary } from "../../view/scribe/index.ts";
import type { CompactionPorts } from "./ports.ts";

/** What a compaction uses unless it is handed something else: the scribe. */
export const defaultPorts: CompactionPorts = {
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
};
