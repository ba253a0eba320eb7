import type { PalimpsestError } from "../error.ts";
import type { RecallKind } from "../memory/memory.ts";
import type { Result } from "../result.ts";

/** The fields of a document that are searched; what counts for more is not told here. */
export type RecallField = "body" | "name" | "description" | "tags";

/** A document's fields in an index besides its words: enough to read it again. */
export interface RecallDocumentHead {
  readonly kind: RecallKind;
  /** A memory's path, else the entry's id. */
  readonly id: string;
  /** "" for memories. */
  readonly session: string;
  readonly atMs: number;
  /** Where the entry stands in its log; 0 for memories. */
  readonly place: number;
  /** Of a memory, its version in the tree; of a message, its position among the session's messages, from 1. */
  readonly number: number;
}

export interface RecallDocument extends RecallDocumentHead {
  readonly fields: Readonly<Partial<Record<RecallField, string>>>;
}

/** How far a session's log is in the index. */
export interface SessionProgress {
  /** Where to go on reading. */
  readonly end: number;
  readonly lastSeq: number;
  readonly epoch: number;
  /** The last entry read: if it no longer stands there, the log was rewritten and is read anew. */
  readonly lastPlace: number;
  readonly lastId: string;
  /** How many messages are in the index. */
  readonly messages: number;
  /** The log's size and time when it was read: while both stay, there is nothing new. */
  readonly bytes: number;
  readonly modifiedAt: string;
}

/** The contents of the index, so that an update reads only what is new. */
export interface RecallProgress {
  readonly sessions: ReadonlyMap<string, SessionProgress>;
  /** The version of each memory, by path. */
  readonly memories: ReadonlyMap<string, number>;
}

/** An index as one update left it. */
export interface RecallBase {
  readonly progress: RecallProgress;
  /** A part is lost, and was left out of the progress: an update publishes even where nothing else is new. */
  readonly isDamaged: boolean;
  /** Problems in reading it. */
  readonly problems: readonly PalimpsestError[];
}

/**
 * One update under way. Documents are taken in as they come, so that their texts need not be in memory together. Nobody
 * sees any of it before `publish`, and all of it then. One that is not published leaves nothing behind.
 */
export interface RecallDraft {
  /** How many documents were added. */
  readonly documents: number;
  /** Keeps what its tokenizer makes of the text, and not the text. */
  add(document: RecallDocument): void;
  /**
   * First what is dropped goes, then what was added comes, then the progress is this one; all three at once.
   * `conflict` where another process has published since `base`: then nothing is changed, and the draft is spent.
   */
  publish(change: RecallDrop): Promise<Result<void>>;
}

export interface RecallDrop {
  /** Paths of memories that are gone or come anew. */
  readonly droppedMemories: ReadonlySet<string>;
  /** Sessions whose notes are gone or come anew. */
  readonly droppedNotes: ReadonlySet<string>;
  /** Sessions of which nothing stays: neither messages nor notes, but what is added in this draft. */
  readonly droppedSessions: ReadonlySet<string>;
  readonly progress: RecallProgress;
}

export interface RecallFilter {
  readonly kinds?: readonly RecallKind[];
  readonly sinceMs?: number;
  readonly exceptSession?: string;
}

export interface RecallRequest extends RecallFilter {
  /** The query as the index's own tokenizer has it; repeated where they repeat. */
  readonly terms: readonly string[];
  readonly limit: number;
  readonly nowMs: number;
  /** How often a memory was used. */
  readonly usesOf?: (path: string) => number;
  /** Asked now and then; once it says no, what was found so far is ranked. */
  readonly hasTime?: () => boolean;
}

export interface RankedHead {
  readonly head: RecallDocumentHead;
  readonly score: number;
}

export interface RecallRanking {
  /** Best first; equal ones the newest first. */
  readonly ranked: readonly RankedHead[];
  readonly isPartial: boolean;
  /** Damaged parts that were not searched. */
  readonly problems: readonly PalimpsestError[];
}

/** Vectors of documents, of one embeddings at a time. */
export interface RecallVectors {
  /** Whether there are any of these embeddings. */
  has(embeddings: string): Promise<Result<boolean>>;
  /** The newest documents that have none of these embeddings. */
  missing(embeddings: string, limit: number): Promise<Result<readonly RecallDocumentHead[]>>;
  /**
   * Vectors of other embeddings go. How many were taken in: none where another process has published meanwhile, a later
   * update does the work again.
   */
  put(
    embeddings: { readonly id: string; readonly dimensions: number },
    vectors: readonly { readonly head: RecallDocumentHead; readonly vector: Float32Array }[],
  ): Promise<Result<number>>;
  /** The closest documents by cosine, best first. */
  closest(
    vector: Float32Array,
    limit: number,
    filter: RecallFilter,
  ): Promise<Result<readonly RecallDocumentHead[]>>;
}

/**
 * The index of everything a project remembers; any number of processes use it at once. All in it can be made anew from
 * the logs and the memory tree. Texts are taken apart by the one tokenizer of `recall`, and scores are those of
 * its BM25, so that two implementations give the same documents for a query.
 */
export interface RecallIndex {
  /** How far the newest published update is. */
  base(): Promise<Result<RecallBase>>;
  /** Begins an update of what `base` gave. */
  draft(base: RecallBase): Promise<RecallDraft>;
  rank(request: RecallRequest): Promise<Result<RecallRanking>>;
  /** Without it searches go by words alone. */
  readonly vectors?: RecallVectors;
}
