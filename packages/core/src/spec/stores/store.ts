import type { FlagStore } from "../flag.ts";
import type { Disk } from "../machine/disk.ts";
import type { ConsolidateLock } from "../memory/dream.ts";
import type { Result } from "../result.ts";
import type { AgentRecords } from "./agent-records.ts";
import type { BlobStore } from "./blob-store.ts";
import type { FileTree } from "./file-tree.ts";
import type { LeaseStore } from "./lease.ts";
import type { LogStore } from "./log-store.ts";
import type { Mailbox } from "./mailbox.ts";
import type { RecallIndex } from "./recall-index.ts";
import type { SpendingLedger } from "./spending.ts";

/** The storage ports of one project, together. */
export interface Store {
  readonly logs: LogStore;
  readonly blobs: BlobStore;
  readonly leases: LeaseStore;
  /** A versioned folder by name, such as `memory`. */
  tree(name: string): FileTree;
  readonly mailbox?: Mailbox;
  /** What sessions have learned, for the sessions after them; without it each learns anew. */
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
  /** What was spent each day, over all projects and machines; without it each data root counts for itself. */
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
