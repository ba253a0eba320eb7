import type { ConsolidateLock } from "../memory/dream.ts";
import type { Result } from "../result.ts";
import type { AgentRecords } from "./agent-records.ts";
import type { StoreArchive } from "./archive.ts";
import type { BackgroundWork } from "./background-work.ts";
import type { Mailbox } from "./mailbox.ts";
import type { RecallIndex } from "./recall-index.ts";
import type { Redaction, SessionUpkeep } from "./session-upkeep.ts";
import type { LearnedStore, NotesCopies, Store } from "./store.ts";
import type { StoreSessions } from "./store-sessions.ts";

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
  /** What is this session's, its agents' included, is not told. */
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
