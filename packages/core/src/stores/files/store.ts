import {
  type Clock,
  type Disk,
  fail,
  type Ids,
  type Processes,
  type ProjectStore,
  type StoreFolders,
  type WriterIdentity,
} from "../../spec/index.ts";
import { createLayout, isProjectName, type Layout } from "../shared/layout.ts";
import { createFileAgentRecords } from "./agent-records.ts";
import { createFileArchive } from "./archive/archive.ts";
import { createFileBlobStore } from "./blob-store.ts";
import { createFileConsolidateLock } from "./consolidate-lock/consolidate-lock.ts";
import { createFileLearnedStore } from "./learned-store.ts";
import { createFileLeaseStore } from "./leases/lease-store.ts";
import { createFileLogStore } from "./log/log-store.ts";
import { createFileMailbox } from "./mailbox/mailbox.ts";
import { createFileNotesCopies } from "./notes-copies.ts";
import { createFileRecallIndex } from "./recall-index/recall-index.ts";
import { createFileSessions } from "./store-sessions.ts";
import { createFileTree } from "./trees/file-tree.ts";
import { createFileUpkeep } from "./upkeep/session-upkeep.ts";

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
export interface FileStore extends ProjectStore {
  readonly layout: Layout;
  readonly disk: Disk;
  readonly folders: StoreFolders;
}

/** Throws where the project's name would lead out of the data root. */
export function createFileStore(options: FileStoreOptions): FileStore {
  const { disk, clock, ids } = options;
  if (!isProjectName(options.project)) {
    throw fail("invalid-input", `“${options.project}” cannot name a project.`, {
      path: "project",
      fix: "Begin with a letter or a digit; go on with letters, digits, dots, dashes and underscores.",
    }).error;
  }
  const layout = createLayout(options.home, options.project);
  const parts = { ...options, layout };
  const blobs = createFileBlobStore(parts);
  const leases = createFileLeaseStore(parts);
  const logs = createFileLogStore({ ...parts, leases, blobs });
  return {
    project: options.project,
    layout,
    disk,
    blobs,
    leases,
    logs,
    sessions: createFileSessions({ ...parts, leases }),
    upkeep: createFileUpkeep({ ...parts, leases, blobs, logs }),
    recallIndex: createFileRecallIndex({ disk, folder: `${layout.root}/recall`, ids }),
    agentRecords: createFileAgentRecords({ ...parts, root: layout.root }),
    folders: {
      sessions: layout.sessions,
      memory: `${layout.root}/memory`,
      toolResults: `${layout.root}/tool-results`,
      shared: { folder: options.home, disk },
    },
    mailbox: createFileMailbox({ ...parts, root: layout.root }),
    learned: createFileLearnedStore(parts),
    notesCopies: createFileNotesCopies(parts),
    archive: createFileArchive({ disk, layout, ids }),
    consolidateLock: createFileConsolidateLock({ ...parts, folder: `${layout.root}/memory` }),
    tree(name) {
      const folder = layout.tree(name);
      if (!folder.ok) throw folder.error;
      return createFileTree({ disk, folder: folder.value, clock, ids });
    },
  };
}
