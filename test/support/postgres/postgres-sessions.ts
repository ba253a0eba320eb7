import { randomBytes } from "node:crypto";
import type {
  BlobStore,
  Clock,
  Ids,
  LeaseStore,
  LogStore,
  Processes,
} from "../../../packages/core/src/spec/index.ts";
import { createPostgresBlobStore } from "../../../packages/core/src/stores/postgres/blob-store.ts";
import type { Database } from "../../../packages/core/src/stores/postgres/database.ts";
import { createPostgresLeaseStore } from "../../../packages/core/src/stores/postgres/leases/lease-store.ts";
import { createPostgresLogStore } from "../../../packages/core/src/stores/postgres/log/log-store.ts";
import { createVirtualClock, createVirtualIds } from "../../../packages/testing/src/virtual-clock.ts";
import { createVirtualProcesses } from "../../../packages/testing/src/virtual-processes.ts";

export interface PostgresSessions {
  readonly database: Database;
  readonly project: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly logs: LogStore;
  readonly blobs: BlobStore;
  readonly leases: LeaseStore;
}

export interface PostgresSessionsOptions {
  readonly database: Database;
  /** Stores with one project's name are like processes on one storage. */
  readonly project?: string;
  readonly clock?: Clock;
  readonly processes?: Processes;
  readonly ids?: Ids;
}

let stores = 0;

/** Logs, blobs and leases of one process, of a project that nobody else has unless it is named. */
export function createPostgresSessions(options: PostgresSessionsOptions): PostgresSessions {
  stores += 1;
  const counted = createVirtualIds();
  const space = stores;
  const parts = {
    database: options.database,
    project: options.project ?? `test-${randomBytes(6).toString("hex")}`,
    clock: options.clock ?? createVirtualClock(),
    processes: options.processes ?? createVirtualProcesses(),
    ids: options.ids ?? { next: (prefix: string) => `${counted.next(prefix)}-${space}` },
  };
  const leases = createPostgresLeaseStore(parts);
  const writer = { pid: 1, host: "virtual", version: "0.0.0" };
  return {
    ...parts,
    leases,
    blobs: createPostgresBlobStore(parts),
    logs: createPostgresLogStore({ ...parts, leases, writer }),
  };
}
