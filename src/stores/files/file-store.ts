import type { Clock, Disk, Ids, Processes, Store, WriterIdentity } from "../../spec/index.ts";
import { createFileBlobStore } from "./blob-store.ts";
import { createConsolidateLock } from "./consolidate-lock/index.ts";
import { createFileTree } from "./file-tree.ts";
import { createLayout, type Layout } from "./layout.ts";
import { createFileLearnedStore } from "./learned-store.ts";
import { createFileLeaseStore } from "./lease-store.ts";
import { createFileLogStore } from "./log-store.ts";
import { createFileMailbox } from "./mailbox/index.ts";
import { createFileNotesCopies } from "./notes-copies.ts";

export interface FileStoreOptions {
  /** The data root; every file and folder stands below it. */
  readonly home: string;
  /** The project's slug. */
  readonly project: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
  readonly writer: WriterIdentity;
}

/** The storage ports of one project, on files. */
export interface FileStore extends Store {
  readonly layout: Layout;
  readonly disk: Disk;
}

export function createFileStore(options: FileStoreOptions): FileStore {
  const { disk, clock, ids } = options;
  const layout = createLayout(options.home, options.project);
  const parts = { ...options, layout };
  const blobs = createFileBlobStore(parts);
  const leases = createFileLeaseStore(parts);
  return {
    layout,
    disk,
    blobs,
    leases,
    logs: createFileLogStore({ ...parts, leases, blobs }),
    mailbox: createFileMailbox({ ...parts, root: layout.root }),
    learned: createFileLearnedStore(parts),
    notesCopies: createFileNotesCopies(parts),
    consolidateLock: createConsolidateLock({ ...parts, folder: `${layout.root}/memory` }),
    tree(name) {
      const folder = layout.tree(name);
      if (!folder.ok) throw folder.error;
      return createFileTree({ disk, folder: folder.value, clock, ids });
    },
  };
}
