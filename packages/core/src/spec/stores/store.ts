import type { AgentRegistration } from "../agent.ts";
import type { FlagStore } from "../flag.ts";
import type { Disk } from "../machine.ts";
import type { ConsolidateLock } from "../memory/memory.ts";
import type { Result } from "../result.ts";
import type { BackgroundWork, Mailbox, SpendingLedger } from "./background-work.ts";
import type { FileTree } from "./file-tree.ts";
import type { BlobStore, EntryLocation, LeaseHolder, LeaseStore, LogListing, LogStore } from "./log-store.ts";
import type { RecallIndex } from "./recall-index.ts";
import type { Redaction, SessionUpkeep, StoreArchive } from "./session-upkeep.ts";

/** The storage ports of one project, together. */
export interface Store {
  readonly logs: LogStore;
  readonly blobs: BlobStore;
  readonly leases: LeaseStore;
  /** A versioned folder by name, such as `memory`. */
  tree(name: string): FileTree;
  readonly mailbox?: Mailbox;
  /** Values learned by sessions, for the sessions after them; without it each learns anew. */
  readonly learned?: LearnedStore;
  readonly notesCopies?: NotesCopies;
  /** Of the memory folder; without it nobody dreams. */
  readonly consolidateLock?: ConsolidateLock;
  /** The project's slug, where the store knows it. */
  readonly project?: string;
  /** Without it memories are found by reading them all. */
  readonly recallIndex?: RecallIndex;
  /** Without it agents of other processes are not known by name. */
  readonly agentRecords?: AgentRecords;
  /** Absent where nothing of the store is a file that a person or a tool could open. */
  readonly folders?: StoreFolders;
  /** Daily spending over all projects and machines; without it each data root counts for itself. */
  readonly spending?: SpendingLedger;
  /** Flags for everybody on the store; without it settings files and the environment have them. */
  readonly flags?: FlagStore;
}

/** Where a store that lives in folders of this machine has them. Absolute; they need not be there yet. */
export interface StoreFolders {
  readonly sessions: string;
  readonly memory: string;
  readonly toolResults: string;
  /** The folder of what all projects share, and the disk that it is on. */
  readonly shared?: { readonly folder: string; readonly disk: Disk };
}

/** Copies of session notes for people to read: one file a session, always the newest. */
export interface NotesCopies {
  /** Gives the path or address that a person can open. */
  write(session: string, text: string): Promise<Result<string>>;
}

/** Small values that sessions learn and hand on, shared by all projects. Losing one costs accuracy and nothing else. */
export interface LearnedStore {
  /** `undefined` where nothing was learned yet; `corrupt` where it cannot be read as JSON. */
  read(name: string): Promise<Result<unknown>>;
  /** The whole value or none of it is seen; of two writers at once the later one's holds. */
  write(name: string, value: unknown): Promise<Result<void>>;
}

/** A store with all that the program's own commands need of a project. */
export interface ProjectStore extends Store {
  /** The project's slug. */
  readonly project: string;
  readonly sessions: StoreSessions;
  readonly upkeep: SessionUpkeep;
  readonly recallIndex: RecallIndex;
  readonly agentRecords: AgentRecords;
  readonly mailbox: Mailbox;
  readonly learned: LearnedStore;
  readonly notesCopies: NotesCopies;
  readonly consolidateLock: ConsolidateLock;
  readonly archive: StoreArchive;
}

export interface FindSecretOptions {
  /** Excludes the results of this session, its agents included. */
  readonly except: { readonly project: string; readonly session: string };
  readonly signal?: AbortSignal;
}

/** Everything that is stored in one place, by project. */
export interface ProjectStores {
  readonly kind: "files" | "postgres";
  /** For a person: the data root, or the database's address without a password. */
  readonly address: string;
  /** Slugs of all projects of which something is stored, sorted by code unit. */
  projects(): Promise<Result<readonly string[]>>;
  /** Nothing is made or asked by this; a project is there once something is stored of it. */
  store(project: string): ProjectStore;
  /** Addresses of all that holds the secret, of every project; what cannot be read is named too. */
  findSecret(redaction: Redaction, options: FindSecretOptions): Promise<Result<readonly string[]>>;
  /** Takes work that nobody waits for, where workers on any machine do it. */
  readonly work?: BackgroundWork;
  /** Gives connections back. Safe to call twice; stores are not used afterwards. */
  close(): Promise<void>;
}

/** The record of a removed session: that it was there, when it went, and why. */
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
  /** Each stored value counts once, however many names it has. */
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

/** An agent that other processes may write to. */
export type AgentRecord = Pick<AgentRegistration, "id" | "name" | "socket">;

/** Who runs in a project, in any process of any machine that shares the store. A name belongs to one live process. */
export interface AgentRecords {
  /** `exists` while a live process has the name. Gives how to give it back; that never throws. */
  add(record: AgentRecord): Promise<Result<() => Promise<void>>>;
  /**
   * Those whose processes are not known to be dead, sorted by name. A `socket` is told only where this machine can open
   * it: whoever is elsewhere is written to by the mailbox.
   */
  list(): Promise<Result<readonly AgentRecord[]>>;
}
