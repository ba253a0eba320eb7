import type { Clock, Ids, Processes, ProjectStore, WriterIdentity } from "../../spec/index.ts";
import { createPostgresAgentRecords } from "./agent-records.ts";
import { createPostgresArchive } from "./archive/archive.ts";
import { createPostgresBlobStore } from "./blob-store.ts";
import { createPostgresConsolidateLock } from "./consolidate-lock/consolidate-lock.ts";
import type { Database } from "./database.ts";
import { createPostgresFlagStore } from "./flag-store.ts";
import { createPostgresLearnedStore } from "./learned-store.ts";
import { createPostgresLeaseStore } from "./leases/lease-store.ts";
import { createPostgresLogStore } from "./log/log-store.ts";
import { createPostgresMailbox } from "./mailbox/mailbox.ts";
import { createPostgresNotesCopies } from "./notes-copies.ts";
import { createPostgresRecallIndex } from "./recall-index/recall-index.ts";
import { createPostgresSpendingLedger } from "./spending/spending-ledger.ts";
import { createPostgresSessions } from "./store-sessions.ts";
import { createPostgresTree } from "./trees/file-tree.ts";
import { createPostgresUpkeep } from "./upkeep/session-upkeep.ts";

export interface PostgresStoreOptions {
  readonly database: Database;
  /** The project's slug. */
  readonly project: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
  /** The writer in every log written here. */
  readonly writer: WriterIdentity;
}

/** The storage ports of one project, in a database whose schema is up to date. Nothing of it is a file. */
export function createPostgresStore(options: PostgresStoreOptions): ProjectStore {
  const leases = createPostgresLeaseStore(options);
  const logs = createPostgresLogStore({ ...options, leases });
  const blobs = createPostgresBlobStore(options);
  return {
    project: options.project,
    leases,
    logs,
    blobs,
    sessions: createPostgresSessions({ ...options, leases }),
    upkeep: createPostgresUpkeep({ ...options, leases, logs, blobs }),
    recallIndex: createPostgresRecallIndex(options),
    agentRecords: createPostgresAgentRecords(options),
    mailbox: createPostgresMailbox(options),
    learned: createPostgresLearnedStore(options),
    spending: createPostgresSpendingLedger(options),
    flags: createPostgresFlagStore(options),
    notesCopies: createPostgresNotesCopies(options),
    archive: createPostgresArchive(options),
    consolidateLock: createPostgresConsolidateLock(options),
    tree: (name) => createPostgresTree({ ...options, tree: name }),
  };
}
