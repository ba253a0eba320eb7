import type { Entry, ExtractionRecord, FailedUpdates } from "../../../spec/index.ts";

/** What a log says of its extractions so far. */
export interface ExtractionState {
  readonly extraction?: ExtractionRecord;
  readonly failedExtractions?: FailedUpdates;
}

/** The state behind the next live entry. Forks for memory behind the newest extraction have brought nothing. Total. */
export function nextExtraction(state: ExtractionState, entry: Entry): ExtractionState {
  if (entry.kind !== "note") return state;
  const { note, seq } = entry;
  if (note.topic === "extraction") {
    const { coversSeq } = note;
    return Number.isFinite(coversSeq) ? { extraction: { seq, coversSeq } } : state;
  }
  if (note.topic !== "fork" || note.forkKind !== "memory") return state;
  return { ...state, failedExtractions: { count: (state.failedExtractions?.count ?? 0) + 1, seq } };
}
