import type { CompactionRecords, Facts, View } from "../../../spec/index.ts";
import { compactionNumbersOf } from "../settings.ts";
import { newTokensSince } from "./new-tokens.ts";

/** After an undo, or where no rung helped, nothing is tried until enough is new or no request can be made. */
export function holdReason(view: View, facts: Facts, records: CompactionRecords): string | null {
  const { undoneSeq, exhausted } = records;
  const { blocking } = facts.thresholds;
  const isBlocked = view.count.tokens >= blocking;
  if (
    undoneSeq !== undefined &&
    undoneSeq > records.boundarySeq &&
    !isBlocked &&
    !isNewEnough(view, facts, undoneSeq)
  )
    return "a compaction was undone, and too little is new since";
  if (exhausted === undefined || isNewEnough(view, facts, exhausted.seq)) return null;
  const { tokens, threshold = 0 } = exhausted;
  return isBlocked && (tokens < blocking || facts.thresholds.auto < threshold)
    ? null
    : "no compaction helped, and too little is new since";
}

/** The breaker is closed, and enough is new since a model was last asked. */
export function mayAskModel(view: View, facts: Facts, records: CompactionRecords): boolean {
  if (records.modelFailures >= compactionNumbersOf(facts).maxFailures) return false;
  return records.modelAskedSeq === undefined || isNewEnough(view, facts, records.modelAskedSeq);
}

/** An automatic compaction is in force, and next to nothing came behind it. */
export function isUnanswered(view: View, facts: Facts, { lastAutomatic }: CompactionRecords): boolean {
  return lastAutomatic !== undefined && !isNewEnough(view, facts, lastAutomatic.seq);
}

/** A conversation that has little room beside system prompt and tools need not bring more than a part of that room. */
const newTokensRoomShare = 0.25;

function isNewEnough(view: View, facts: Facts, seq: number): boolean {
  const { newTokensPercent } = compactionNumbersOf(facts);
  const { headTokens = 0, thresholds } = facts;
  const room = Math.max(0, thresholds.blocking - headTokens);
  const needed = Math.min((thresholds.window * newTokensPercent) / 100, room * newTokensRoomShare);
  return newTokensSince(view.items, seq, needed) >= needed;
}
