import type { Decision, Entry, FailedUpdates, NotesNote, NotesRecord } from "../../../spec/index.ts";

/** The state of the notes, from the log. */
export interface NotesState {
  readonly notes?: NotesRecord;
  readonly failedUpdates?: FailedUpdates;
  /** Decisions behind the newest notes that made the conversation shorter, newest first. */
  readonly freed?: Freed;
  /** Tokens that the API itself leaves out of every request by now. */
  readonly serverCleared?: number;
}

/** One decision that made the conversation shorter, and those before it. */
interface Freed {
  readonly seq: number;
  readonly tokens: number;
  /** Tokens left by a compaction, whatever there was before. */
  readonly left?: number;
  readonly before?: Freed;
}

/**
 * The state behind the next live entry. An update leaves the fork's note and then its own: forks behind the newest notes
 * brought none. A compaction takes the covered message out of the view, so nothing is covered any more, and growth counts
 * from what it has left. What was freed while an update was written counts as freed after it. Total.
 */
export function nextNotes(state: NotesState, entry: Entry): NotesState {
  if (entry.kind === "note") {
    const { note } = entry;
    if (note.topic === "notes" && isNotes(note)) return withNotes(state, note, entry);
    if (note.topic !== "fork" || note.forkKind !== "notes") return state;
    return { ...state, failedUpdates: { count: (state.failedUpdates?.count ?? 0) + 1, seq: entry.seq } };
  }
  return entry.kind === "decision" ? withDecision(state, entry.decision, entry.seq) : state;
}

function withNotes({ freed, serverCleared }: NotesState, note: NotesNote, { id, seq }: Entry): NotesState {
  const { text, covers, coversSeq } = note;
  const tokensAt = lessFreed(note.tokensAt, note.basis ?? seq, freed);
  const cleared = serverCleared === undefined ? {} : { serverCleared };
  return { notes: { entry: id, seq, text, covers, coversSeq, tokensAt }, ...cleared };
}

/** Tokens left by now of those that the conversation had at a sequence number. */
function lessFreed(tokens: number, atSeq: number, newest: Freed | undefined): number {
  let freed = 0;
  for (let one = newest; one && one.seq > atSeq; one = one.before) {
    if (one.left !== undefined) return Math.max(0, one.left - freed);
    freed += one.tokens;
  }
  return Math.max(0, tokens - freed);
}

function withDecision(state: NotesState, decision: Decision, seq: number): NotesState {
  const { notes, freed: before, serverCleared = 0, ...rest } = state;
  if (decision.type === "compact") {
    const left = countOf(decision.tokensAfter);
    return {
      ...rest,
      ...(notes && { notes: withoutCoverage(notes, left) }),
      freed: { seq, tokens: 0, left },
    };
  }
  const cleared = Math.max(serverCleared, clearedByServer(decision));
  const tokens = countOf(decision.frees) + cleared - serverCleared;
  if (tokens === 0) return state;
  return {
    ...rest,
    ...(notes && { notes: { ...notes, tokensAt: Math.max(0, notes.tokensAt - tokens) } }),
    freed: { seq, tokens, ...(before && { before }) },
    ...(cleared > 0 && { serverCleared: cleared }),
  };
}

function withoutCoverage({ covers: _covers, ...notes }: NotesRecord, tokensAt: number): NotesRecord {
  return { ...notes, tokensAt };
}

/** Tokens that the API says it has left out by itself: the count of its response lacks them, so the decision frees none. */
function clearedByServer(decision: Decision): number {
  if (decision.type !== "cache-edit" || decision.behind !== undefined) return 0;
  const { cleared_input_tokens: tokens } = (decision.edit ?? {}) as {
    readonly cleared_input_tokens?: unknown;
  };
  return countOf(tokens);
}

function isNotes({ text, covers, coversSeq, tokensAt }: NotesNote): boolean {
  const areTexts = typeof text === "string" && typeof covers === "string";
  return areTexts && Number.isFinite(coversSeq) && Number.isFinite(tokensAt);
}

function countOf(value: unknown): number {
  return typeof value === "number" && value > 0 ? value : 0;
}
