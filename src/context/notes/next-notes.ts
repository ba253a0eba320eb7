import type { Entry, FailedUpdates, NotesNote, NotesRecord } from "../../spec/index.ts";

/** What a log says of its notes so far. */
export interface NotesState {
  readonly notes?: NotesRecord;
  readonly failedUpdates?: FailedUpdates;
}

/**
 * The state behind the next live entry. An update leaves the fork's note and then its own: forks behind the newest notes
 * brought none. A compaction takes the covered message out of the view, so nothing is covered any more, and growth counts
 * from what it has left. Total.
 */
export function nextNotes(state: NotesState, entry: Entry): NotesState {
  if (entry.kind === "note") {
    const { note } = entry;
    if (note.topic === "notes" && isNotes(note)) return { notes: toRecord(note, entry) };
    if (note.topic !== "fork" || note.forkKind !== "notes") return state;
    return { ...state, failedUpdates: { count: (state.failedUpdates?.count ?? 0) + 1, seq: entry.seq } };
  }
  if (entry.kind !== "decision" || !state.notes) return state;
  const { decision } = entry;
  if (decision.type === "compact") {
    const { covers: _covers, ...rest } = state.notes;
    return { ...state, notes: { ...rest, tokensAt: countOf(decision.tokensAfter) } };
  }
  const freed = countOf(decision.frees);
  if (freed === 0) return state;
  return { ...state, notes: { ...state.notes, tokensAt: Math.max(0, state.notes.tokensAt - freed) } };
}

function isNotes({ text, covers, coversSeq, tokensAt }: NotesNote): boolean {
  const areTexts = typeof text === "string" && typeof covers === "string";
  return areTexts && Number.isFinite(coversSeq) && Number.isFinite(tokensAt);
}

function toRecord({ text, covers, coversSeq, tokensAt }: NotesNote, { id, seq }: Entry): NotesRecord {
  return { entry: id, seq, text, covers, coversSeq, tokensAt };
}

function countOf(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : 0;
}
