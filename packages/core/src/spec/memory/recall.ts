import type { PalimpsestError } from "../error.ts";
import type { Result } from "../result.ts";

/** What can be found again: a memory file, a session's newest notes, a message of the user or the assistant. */
export type RecallKind = "memory" | "notes" | "message";

export interface RecallHit {
  readonly kind: RecallKind;
  /** A memory's path, else the id of the entry. */
  readonly id: string;
  /** Of a memory that has one. */
  readonly name?: string;
  readonly session?: string;
  /** The entry of the notes or the message. */
  readonly entry?: string;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
  /** The part of the text that holds most of the query's words. */
  readonly snippet: string;
  readonly at: string;
}

export interface RecallSearchOptions {
  /** How many hits at most. */
  readonly limit?: number;
  readonly kinds?: readonly RecallKind[];
  /** Nothing older, in milliseconds since the epoch. */
  readonly sinceMs?: number;
  /** Nothing of this session: what is in view need not be found. */
  readonly exceptSession?: string;
  /** Stop ranking after about this long and give what was found: rare words are looked up first. */
  readonly maxMs?: number;
  readonly signal?: AbortSignal;
}

export interface RecallAnswer {
  /** Best first. */
  readonly hits: readonly RecallHit[];
  /** The time was used up before all words were looked up. */
  readonly isPartial: boolean;
  /** What went wrong and stopped nothing. */
  readonly problems: readonly PalimpsestError[];
}

export interface RecallUpdate {
  /** Memories, notes and messages that came in, replaced ones among them. */
  readonly added: number;
  /** Memories and notes that went out, and sessions whose messages did. */
  readonly removed: number;
  /** Texts that got a vector. */
  readonly embedded: number;
  /** What went wrong and stopped nothing: a log that could not be read, a damaged part that was made anew. */
  readonly problems: readonly PalimpsestError[];
}

/** The search over everything a project remembers. Any number of processes may use one index at once. */
export interface Recall {
  /** Takes in what is new since the last update of any process. */
  update(signal?: AbortSignal): Promise<Result<RecallUpdate>>;
  search(query: string, options?: RecallSearchOptions): Promise<Result<RecallAnswer>>;
}
