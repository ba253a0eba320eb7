import type { Result } from "../result.ts";
import type { LogDamage } from "./log-store.ts";

/** One way a secret may stand in a text, and what is written in its place there. */
export interface SecretForm {
  readonly secret: string;
  readonly replacement: string;
}

/** A secret that can be taken out of a log. Never written anywhere, nor a hash of it. */
export interface Redaction {
  readonly forms: readonly SecretForm[];
  /** The same as bytes, for what cannot be read as values. */
  readonly needles: readonly Uint8Array[];
}

/** Where a session holds a secret. Its agents are sessions of their own. */
export interface SecretSurvey {
  readonly session: string;
  /** The secret is nowhere in the session. */
  readonly isClean: boolean;
  /** Entries that hold it, themselves or in a blob. */
  readonly entries: number;
  readonly occurrences: number;
  /** Thinking blocks that hold it: they go whole, as their signature no longer fits. */
  readonly droppedBlocks: number;
  /** Bytes of the log that are not in force hold it. */
  readonly inDamage: boolean;
  /** How many blobs hold it. */
  readonly blobs: number;
  /** Addresses of named results that hold it. */
  readonly toolResults: readonly string[];
  /** Addresses of copies of the notes that hold it. */
  readonly notes: readonly string[];
  /** Addresses of what holds it and cannot be rewritten: damaged blobs, and bytes kept aside from the log. */
  readonly removable: readonly string[];
}

/** That something was taken out of a session, when, and how much; never what. */
export interface RedactionRecord {
  readonly at: string;
  readonly entries: number;
  readonly occurrences: number;
  readonly droppedBlocks: number;
  readonly blobs: number;
  /** Sessions removed completely. */
  readonly removed: readonly string[];
  /** False while the work is under way, and after a crash until it is run again. */
  readonly finished: boolean;
}

/** A value that a log names by its hash and that is gone or damaged. */
export interface LostBlob {
  readonly blob: string;
  readonly bytes?: number;
  /** For a person: what it is, and whose. */
  readonly what: string;
  /** Why it cannot be read. */
  readonly why: string;
  /** It may still be there, whole: something is in its place, or the disk does not give it. */
  readonly isUnreadable?: boolean;
  /** Where a copy was found, which a repair puts back; absent where there is none. */
  readonly copyIn?: string;
  /** Why the copy could not be put back. */
  readonly notPutBack?: string;
}

export interface RepairReport {
  readonly session: string;
  /** The log's address. */
  readonly path: string;
  /** Entries in force, before and after alike. */
  readonly entries: number;
  /** Entries found inside damaged lines; each has a line of its own now. */
  readonly salvaged: number;
  readonly tornBytes: number;
  readonly corruptLines: number;
  readonly corruptBytes: number;
  readonly fencedLines: number;
  readonly fencedBytes: number;
  /** The first damages, where they stood before. */
  readonly damages: readonly LogDamage[];
  /** Where the damaged bytes are kept. */
  readonly asides: readonly string[];
  readonly bytesBefore: number;
  readonly bytesAfter: number;
  /** Corrupt or fenced lines were taken out of the log. */
  readonly rewritten: boolean;
  /** Blobs that its entries stand on and that cannot be read. */
  readonly lostBlobs: readonly LostBlob[];
}

export interface UpkeepOptions {
  /** Take the session from a holder that cannot be proven dead, once its heartbeat is old. */
  readonly takeOver?: boolean;
  readonly signal?: AbortSignal;
}

/**
 * The two kinds of work on a log that is there: nothing else ever changes what was written. Both take the session's
 * lease, and give it back whatever happens.
 */
export interface SessionUpkeep {
  /** Reads only. `not-found` or `collected` for a session that is not there. */
  survey(session: string, redaction: Redaction, signal?: AbortSignal): Promise<Result<SecretSurvey>>;
  /**
   * Takes a secret out of a session: out of its log, blobs, named results, notes and what was kept aside. Every reader
   * sees the whole old log or the whole new one; the new one ends with a `redacted` note. After a crash, running it
   * again finishes. Refused (`invalid-input`) where the session's own id holds the secret, and (`held`) after a
   * takeover. Gives what was found.
   */
  redact(session: string, redaction: Redaction, options?: UpkeepOptions): Promise<Result<SecretSurvey>>;
  /** Oldest first; none where nothing was ever redacted. */
  redactions(session: string): Promise<Result<readonly RedactionRecord[]>>;
  /** A dry run of `repair`, without a lease; a last line that lacks only its end counts as unfinished. */
  planRepair(session: string, signal?: AbortSignal): Promise<Result<RepairReport>>;
  /**
   * Makes a log whole again: damaged and fenced lines are taken out, and all of their bytes are kept aside. Nothing
   * that is in force changes. Lost blobs are put back where another session has a copy. Running it again finds nothing
   * more to do.
   */
  repair(session: string, options?: UpkeepOptions): Promise<Result<RepairReport>>;
}

/** Where one piece of a project belongs, in every store. */
export type ArchivePiece =
  /** Whole lines of a log, from the place `at` on. */
  | { readonly kind: "log"; readonly session: string; readonly at: number; readonly bytes: number }
  | { readonly kind: "blob"; readonly session: string; readonly sha256: string }
  /** A readable name of a blob; its content is the blob's hash. */
  | { readonly kind: "blob-name"; readonly session: string; readonly name: string }
  | { readonly kind: "notes"; readonly session: string }
  | { readonly kind: "tombstone"; readonly session: string }
  /** A version of a file: one line of JSON that says what it is, then the text as it was. */
  | { readonly kind: "version"; readonly tree: string; readonly path: string; readonly version: number }
  /** A mail that waits; its content is its JSON. */
  | { readonly kind: "mail"; readonly to: string; readonly id: string }
  /** When memory was last put in order, in milliseconds. */
  | { readonly kind: "consolidation" };

/** Pieces of which there is one, always the newest. */
export type ChangingPiece = Extract<ArchivePiece, { readonly kind: "notes" | "consolidation" }>;

/** Everything that a store has of a project, as bytes that are the same in every store: for moving it. */
export interface StoreArchive {
  /** Sessions and their forks, parents first. */
  sessions(): Promise<Result<readonly string[]>>;
  /** Pieces of a session, the log last and in order: what is there of a log, all it needs is there too. */
  piecesOf(session: string): Promise<Result<readonly ArchivePiece[]>>;
  /** Pieces of no session, versions and mails in order. */
  others(): Promise<Result<readonly ArchivePiece[]>>;
  /** `null` where it is not there. */
  read(piece: ArchivePiece): Promise<Result<Uint8Array | null>>;
  /** The whole piece or nothing of it. The same piece again changes nothing; `exists` where something else is there. */
  write(piece: ArchivePiece, content: Uint8Array): Promise<Result<void>>;
  /** As `write`, in place of what is there. */
  replace(piece: ChangingPiece, content: Uint8Array): Promise<Result<void>>;
}
