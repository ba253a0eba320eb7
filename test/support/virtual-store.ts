import type { Clock, Disk, Processes } from "../../packages/core/src/spec/index.ts";
import { createFileStore, type FileStore } from "../../packages/core/src/stores/files/store.ts";
import { createVirtualClock, createVirtualIds } from "../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../packages/testing/src/virtual-processes.ts";

export const virtualHome = "/home";
export const virtualProject = "test-00000000";
export const logPath = (session: string) =>
  `${virtualHome}/projects/${virtualProject}/sessions/${session}.jsonl`;

export interface VirtualStoreOptions {
  readonly disk?: Disk;
  readonly clock?: Clock;
  readonly processes?: Processes;
}

let stores = 0;

/** A file store on a virtual disk; stores over one disk are like processes on one machine. */
export function createVirtualStore(options: VirtualStoreOptions = {}): FileStore {
  stores += 1;
  const ids = createVirtualIds();
  const space = stores;
  return createFileStore({
    home: virtualHome,
    project: virtualProject,
    disk: options.disk ?? createVirtualDisk(),
    clock: options.clock ?? createVirtualClock(),
    processes: options.processes ?? createVirtualProcesses(),
    ids: { next: (prefix) => `${ids.next(prefix)}-${space}` },
    writer: { pid: 1, host: "virtual", version: "0.0.0" },
  });
}
