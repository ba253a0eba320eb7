import type { BlobRef, Entry, EntryDraft, SessionBody } from "../entry.ts";
import type { ProcessIdentity } from "../machine.ts";
import type { Result } from "../result.ts";

/**
 * When an append counts as saved: what it survives.
 * - `process`: kill -9 of the process; power loss may take what the system had not yet written.
 * - `fsync`: power loss.
 * - `relaxed`: neither; batched, and at most the batch that was not yet written is lost with the process.
 */
export type Durability = "process" | "fsync" | "relaxed";

/**
 * Where an entry stands, for reading it again; opaque to everyone but its store, save that they grow, that 0 is the first
 * entry's, and that a log's `bytes` are no fewer than the `end` of its report.
 */
export type EntryLocation = number;

/** Called once per entry, in order. Must not throw. */
export type EntryVisit = (entry: Entry, location: EntryLocation) => void;

export interface OpenLogOptions {
  readonly durability?: Durability;
  /** `create`: the first entry gets the number behind this one, as a fork goes on where its parent stood. */
  readonly afterSeq?: number;
  /** Take the session from a holder that cannot be proven dead, once its heartbeat is old. */
  readonly takeOver?: boolean;
  readonly signal?: AbortSignal;
}

export interface ScanOptions {
  /** Begin behind an entry read before, at the `end` of its report. */
  readonly from?: EntryLocation;
  /** Stop once at least this many entries were visited; the report's `end` is where to go on. */
  readonly limit?: number;
  readonly signal?: AbortSignal;
}

/** Something in a log that is not an entry in force: where it is, how much, and why. */
export interface LogDamage {
  readonly kind: "torn" | "corrupt" | "fenced";
  readonly offset: number;
  readonly bytes: number;
  readonly reason: string;
}

/** The findings of opening a log. Nothing is ever left out of the counts. */
export interface LogReport {
  readonly entries: number;
  readonly lastSeq: number;
  readonly epoch: number;
  /** The largest format version seen; over the known one the log is read-only. */
  readonly version: number;
  /** Bytes that hold whole lines; a later scan may begin here. */
  readonly end: EntryLocation;
  /** Bytes of an unterminated last line: torn if nobody is writing, else not yet written. */
  readonly tornBytes: number;
  readonly corruptLines: number;
  readonly corruptBytes: number;
  readonly fencedLines: number;
  readonly fencedBytes: number;
  /** Whole entries found inside damaged lines, and loaded. Counted in `entries` too. */
  readonly salvaged: number;
  /** Entries of a kind this version does not know, by kind: visited, and left alone. */
  readonly unknownKinds: Readonly<Record<string, number>>;
  /** The first damages in order, at most `maxListedDamages`. */
  readonly damages: readonly LogDamage[];
  /** Where the lease holder put damaged bytes, if it had to. */
  readonly asides: readonly string[];
}

export interface LogListing {
  readonly session: string;
  readonly bytes: number;
  readonly modifiedAt: string;
  readonly createdAt?: string;
  readonly title?: string;
  /** Where the work stands, as the session's notes have it. */
  readonly state?: string;
  readonly cwd?: string;
  readonly model?: string;
  /** The first words of the user, where the head of the log has them. */
  readonly firstPrompt?: string;
  readonly parent?: string;
  /** Why the listing knows less than it should. */
  readonly problem?: string;
}

/** A log as seen from outside: while both stay, nothing was appended. */
export type LogSize = Pick<LogListing, "session" | "bytes" | "modifiedAt">;

/** The one writer of a log. Entries of one call are written together, in order. */
export interface LogWriter {
  readonly session: string;
  readonly epoch: number;
  readonly report: LogReport;
  /** Acknowledged only when the durability level is reached. After a failure none of the call's entries is in force. */
  append(
    drafts: readonly EntryDraft[],
  ): Promise<Result<readonly { readonly entry: Entry; readonly place: EntryLocation }[]>>;
  /** Everything appended so far reaches the disk (at `relaxed`: is written; at `fsync`: is synced). */
  flush(): Promise<Result<void>>;
  /** Flushes and gives the lease back. Safe to call twice. */
  close(): Promise<Result<void>>;
}

export interface LogStore {
  /** Starts a log with its `session` entry, and takes its lease. */
  create(first: SessionBody, options?: OpenLogOptions): Promise<Result<LogWriter>>;
  /** Takes the lease, moves damaged bytes aside, visits every entry in force. */
  open(session: string, visit: EntryVisit, options?: OpenLogOptions): Promise<Result<LogWriter>>;
  /** Reads without a lease and changes nothing; fine beside a live writer. */
  scan(session: string, visit: EntryVisit, options?: ScanOptions): Promise<Result<LogReport>>;
  /** One entry again, by the place it was visited with. */
  read(session: string, location: EntryLocation): Promise<Result<Entry>>;
  /** Where a person or a tool finds a log: a path. Absent where no file has it. */
  address?(session: string): string;
  /** Newest first. */
  list(): Promise<Result<readonly LogListing[]>>;
  /** As `list`, in any order and without looking into the logs; a store without it is listed. */
  sizes?(): Promise<Result<readonly LogSize[]>>;
  /** Removes a log and what belongs to it alone, and leaves a tombstone. Refused while someone writes. */
  remove(session: string, why: string): Promise<Result<void>>;
}

export interface LeaseHolder extends ProcessIdentity {
  readonly token: string;
  readonly epoch: number;
  /** The clock's time of the last sign of life, in milliseconds. */
  readonly heartbeatMs: number;
}

export interface AcquireOptions {
  /** Take it from a holder that cannot be proven dead, if its heartbeat is older than the lease's patience. */
  readonly takeOver?: boolean;
  /** The epoch will be over this. */
  readonly above?: number;
}

/** At most one holder per name. A live holder keeps it, however long it is paused. */
export interface LeaseStore {
  /** `held`, with the holder in the error's facts, when somebody has it. */
  acquire(name: string, options?: AcquireOptions): Promise<Result<Lease>>;
  /** Who has it now; `null` if it is free. Says nothing about whether the holder still lives. */
  holder(name: string): Promise<Result<LeaseHolder | null>>;
  /** Forgets a name whose thing is gone. */
  forget(name: string): Promise<Result<void>>;
}

export interface Lease {
  readonly epoch: number;
  readonly token: string;
  /** True once it is known that another process has taken the lease; never turns back. */
  readonly lost: boolean;
  /** Set when the lease was taken from a holder not proven dead: it may still write. */
  readonly takenOver: boolean;
  /** `fenced` once another process has it. Cheap when the last check is recent. */
  check(): Promise<Result<void>>;
  /** Keeps the lease and gives it an epoch over `above`. */
  raise(above: number): Promise<Result<void>>;
  release(): Promise<Result<void>>;
}

/** Bytes by their SHA-256. A blob belongs to one session and lives exactly as long as it. */
export interface BlobStore {
  /** Stored once however often it is put. With `durable` it survives power loss once this returns. */
  put(session: string, bytes: Uint8Array, options?: { readonly durable?: boolean }): Promise<Result<BlobRef>>;
  /** The bytes, checked against their name: `corrupt` if they differ, `collected` once the session was removed. */
  get(session: string, sha256: string): Promise<Result<Uint8Array>>;
  list(session: string): Promise<Result<readonly string[]>>;
  /** A readable name for a blob, such as a tool-use id: gives the path or address a person can open. */
  name(session: string, sha256: string, name: string): Promise<Result<string>>;
  removeAll(session: string): Promise<Result<void>>;
}
