import type { Result } from "../result.ts";
import type { LeaseHolder } from "./lease.ts";
import type { EntryLocation, LogListing } from "./log-store.ts";

/** What a removed session leaves behind: that it was there, when it went, and why. */
export interface Tombstone {
  readonly session: string;
  readonly at: string;
  readonly why: string;
}

/** A log as seen from outside, so that whoever has read it knows whether to read on, to begin anew, or nothing. */
export interface LogStamp {
  /** Another one whenever the log was written anew, as a redaction and a repair do; the same while it only grows. */
  readonly identity: string;
  /** No smaller than the `end` of any report of this identity, unless something was cut off. */
  readonly end: EntryLocation;
  readonly bytes: number;
  readonly modifiedAt: string;
}

/** Something that goes when a session is removed. */
export interface SessionPart {
  /** `aside`: damaged bytes that were kept; `agent`: anything of a fork that lives inside the session. */
  readonly kind: "log" | "aside" | "blob" | "tool-result" | "notes" | "agent";
  /** A path, or what a person would ask the database for. */
  readonly address: string;
  readonly bytes: number;
}

export interface SessionFootprint {
  readonly parts: readonly SessionPart[];
  /** What is stored once counts once, however many names it has. */
  readonly bytes: number;
}

/** Who has a session open for writing. */
export interface SessionHolder {
  readonly holder: LeaseHolder;
  /**
   * `dead`: its process has ended. `unsure`: its processes cannot be seen from here; its last sign of life is in the
   * holder's `heartbeatMs`.
   */
  readonly state: "alive" | "dead" | "unsure";
  /** There was a sign of life within the lease's patience. */
  readonly isRecent: boolean;
}

/**
 * The sessions of one project, for those who list, show and remove them. A fork that lives inside a session has the id
 * `<session>/<fork>`. Nothing here takes a lease or changes anything.
 */
export interface StoreSessions {
  /** Ids that begin with `prefix`, sorted by code unit; without the forks that live inside a session. */
  ids(prefix?: string): Promise<Result<readonly string[]>>;
  /** The forks that live inside a session, sorted by code unit; none for a fork, and none for a session that is not there. */
  agentsOf(session: string): Promise<Result<readonly string[]>>;
  /** As `LogStore.list` has it, for one session or fork; what cannot be read is its `problem`. */
  listing(session: string): Promise<LogListing>;
  /** `not-found` or `collected` where there is no log. */
  stamp(session: string): Promise<Result<LogStamp>>;
  /**
   * The log's bytes in chunks: one line for each entry, as `log-format.md` has them, damage included where the store
   * keeps any. The last one may be a failure, which ends it: `not-found`, `collected`, `aborted`, or what went wrong.
   */
  lines(session: string, signal?: AbortSignal): AsyncIterable<Result<Uint8Array>>;
  /** The session's own; `null` where it was never removed. `invalid-input` for what cannot be an id. */
  tombstone(session: string): Promise<Result<Tombstone | null>>;
  footprint(session: string): Promise<Result<SessionFootprint>>;
  /** `null` where nobody has it. */
  holder(session: string): Promise<Result<SessionHolder | null>>;
  /** Where a person finds it: a path, or `postgres://host/database, session <id>`. Never a password. */
  address(session: string): string;
}
