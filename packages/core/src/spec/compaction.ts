import type { CompactTrigger } from "./decision.ts";
import type { Note } from "./entry.ts";
import type { QuerySource } from "./layer.ts";

/**
 * The rungs of the ladder, cheapest first: a summary that was prepared ahead of time, the session's notes, the API's own
 * compaction, a model's summary, the scribe's. What micro-compaction still has to clear is cleared before, by its own
 * layer.
 */
export type CompactionRung = "prepared" | "notes" | "native" | "full" | "scribe";

/** Why a model's answer is no summary. */
export type SummaryFailure = "no_summary" | "api_error" | "prompt_too_long" | "aborted" | "cut" | "tool_call";

/** Why a rung or a whole compaction came to nothing. */
export type CompactionFailure =
  | SummaryFailure
  /** It would not have been below the threshold, or not have shrunk the view enough. */
  | "no_progress"
  /** It was done, and the view was over the threshold all the same. */
  | "no_effect"
  /** Something that was handed in has thrown. */
  | "crashed"
  /** A hook has refused it. */
  | "vetoed";

/** Why a model has written no summary, and the scribe did. */
export interface ModelFailure {
  readonly reason: CompactionFailure | "refused";
  readonly message: string;
}

/** Options of a compaction that a person requests. */
export interface CompactRequest {
  /** Instructions for the summary; blank counts as none. */
  readonly instructions?: string;
  /** Only this entry and what came after it is summarised: what stands before it stays as it is. */
  readonly from?: string;
  /** Only what stands before this entry is summarised: it and what came after it stay as they are. */
  readonly upTo?: string;
}

/** Which part of the conversation was summarised, the rest being as it was: from an entry on, or what stood before it. */
export interface CompactedPart {
  readonly range: "from" | "up-to";
  readonly entry: string;
}

/** The cause of a compaction. */
export interface CompactionCause {
  /** There was one before it in the same turn. */
  readonly isChained: boolean;
  /** Turns of the user since the one before it; -1 where there was none. */
  readonly turnsSincePrevious: number;
  /** The entry of the user's message that began the turn. */
  readonly turn?: string;
  /** Where automatic compaction begins, in tokens. */
  readonly threshold: number;
  readonly source: QuerySource;
}

/** A summary that was written before it was needed. */
export interface PreparedSummary {
  readonly summary: string;
  /** It covers what was there at this sequence number: what came later is kept. */
  readonly basis: number;
  /** The last entry it covers. */
  readonly covers: string;
}

/** The record of an attempt that left no boundary. */
export interface CompactionAttempt {
  /** `exhausted`: no rung brought the view below the threshold. */
  readonly outcome: "failed" | "exhausted" | "prepared";
  /** Where no rung helped: the threshold then. The window may turn out to be smaller. */
  readonly threshold?: number;
  readonly rung: CompactionRung;
  readonly trigger: CompactTrigger;
  readonly reason?: CompactionFailure;
  /** Of the view when it was tried. */
  readonly tokens: number;
  readonly prepared?: PreparedSummary;
}

/** Results of earlier compactions and attempts on the live chain, for deciding the next one. */
export interface CompactionRecords {
  /** Sequence number of the newest boundary in force; 0 where there is none. */
  readonly boundarySeq: number;
  /** The newest automatic or reactive compaction in force. */
  readonly lastAutomatic?: { readonly seq: number; readonly strategy: string };
  /** When a model was last asked for an automatic compaction, in vain or not. */
  readonly modelAskedSeq?: number;
  /** Consecutive failures of automatic compactions by a model. */
  readonly modelFailures: number;
  /** Their number before the newest one that left a boundary: it may turn out to have had no effect. */
  readonly modelFailuresBefore: number;
  /** When a compaction was last undone. */
  readonly undoneSeq?: number;
  /** When all rungs failed, and nothing was compacted since. */
  readonly exhausted?: { readonly seq: number; readonly tokens: number; readonly threshold?: number };
  readonly prepared?: PreparedSummary & { readonly seq: number };
  /** The newest title and mode: appended again behind a boundary, so that a list that reads only the log's end has them. */
  readonly lasting?: readonly Note[];
}
