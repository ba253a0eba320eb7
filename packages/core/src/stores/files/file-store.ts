import {
  type Clock,
  type Disk,
  fail,
  type Ids,
  type LeaseStore,
  type NotesCopies,
  ok,
  type Processes,
  type ProjectStore,
  type ProjectStores,
  type Result,
  type StoreFolders,
  type StoreSessions,
  type WriterIdentity,
} from "../../spec/index.ts";
import { createLayout, isProjectName, type Layout } from "../shared/layout.ts";
import { judgeHolder, leasePatienceMs } from "../shared/leases.ts";
import { agentsOf, createFileAgentRecords } from "./agent-records.ts";
import { createFileArchive } from "./archive/archive.ts";
import { createFileBlobStore } from "./blob-store.ts";
import { createConsolidateLock } from "./consolidate-lock/index.ts";
import { folderOf, writeWholeFile } from "./disk/whole-file.ts";
import { createFileLearnedStore } from "./learned-store.ts";
import { createFileLeaseStore } from "./leases/lease-store.ts";
import { listLog } from "./log/log-listing.ts";
import { createFileLogStore } from "./log/log-store.ts";
import { createFileMailbox } from "./mailbox/index.ts";
import { createFileRecallIndex } from "./recall-index/index.ts";
import { createFileTree } from "./trees/file-tree.ts";
import { footprintBytes, notesPath, sessionFiles } from "./upkeep/session-files.ts";
import { createFileUpkeep } from "./upkeep/session-upkeep.ts";
import { findSecret } from "./upkeep/survey-secret.ts";
import { absentSession, readTombstone } from "./upkeep/tombstone.ts";

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
    consolidateLock: createConsolidateLock({ ...parts, folder: `${layout.root}/memory` }),
    tree(name) {
      const folder = layout.tree(name);
      if (!folder.ok) throw folder.error;
      return createFileTree({ disk, folder: folder.value, clock, ids });
    },
  };
}

/** `session-notes/<id>.md` in the project's folder. Seen whole or not at all; goes with its session. */
function createFileNotesCopies({
  disk,
  layout,
  ids,
}: {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly ids: Ids;
}): NotesCopies {
  return {
    async write(session, text) {
      const log = layout.log(session);
      if (!log.ok) return log;
      const path = notesPath(layout, log.value);
      const folder = folderOf(path);
      const made = await disk.makeDirectory(folder);
      if (!made.ok) return made;
      const temporary = `${folder}/${ids.next("notes")}.tmp`;
      const written = await writeWholeFile(disk, path, Buffer.from(text), {
        temporary,
        durable: false,
        when: "replace",
      });
      return written.ok ? ok(path) : written;
    },
  };
}

interface FileSessionsOptions {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly leases: LeaseStore;
}

const logSuffix = ".jsonl";
const chunkBytes = 1024 * 1024;

function createFileSessions(options: FileSessionsOptions): StoreSessions {
  const { disk, layout, clock, processes, leases } = options;

  async function* lines(session: string, signal?: AbortSignal): AsyncGenerator<Result<Uint8Array>> {
    const path = layout.log(session);
    if (!path.ok) return yield path;
    const opened = await disk.open(path.value, "read");
    if (!opened.ok)
      return yield opened.error.code === "not-found" ? absentSession(disk, layout, session) : opened;
    try {
      for (let position = 0; ; ) {
        if (signal?.aborted) return yield fail("aborted", `Reading ${path.value} was interrupted.`);
        const chunk = Buffer.allocUnsafe(chunkBytes);
        const read = await opened.value.read(position, chunk);
        if (!read.ok) return yield read;
        if (read.value === 0) return;
        position += read.value;
        yield ok(chunk.subarray(0, read.value));
      }
    } finally {
      await opened.value.close();
    }
  }

  return {
    lines,
    async ids(prefix = "") {
      const names = await disk.list(layout.sessions);
      if (!names.ok) return names.error.code === "not-found" ? ok([]) : names;
      const logs = names.value.filter((name) => name.endsWith(logSuffix));
      const ids = logs.map((name) => name.slice(0, -logSuffix.length));
      return ok(ids.filter((id) => id.startsWith(prefix)).sort());
    },
    agentsOf: (session) => agentsOf(disk, layout, session),
    async listing(session) {
      const path = layout.log(session);
      if (path.ok) return listLog(disk, path.value, session);
      return { session, bytes: 0, modifiedAt: new Date(0).toISOString(), problem: path.error.message };
    },
    async stamp(session) {
      const path = layout.log(session);
      if (!path.ok) return path;
      const stat = await disk.stat(path.value);
      if (!stat.ok) return stat.error.code === "not-found" ? absentSession(disk, layout, session) : stat;
      const { identity, bytes, modifiedMs } = stat.value;
      return ok({ identity, end: bytes, bytes, modifiedAt: new Date(modifiedMs).toISOString() });
    },
    tombstone: (session) => readTombstone(disk, layout, session),
    async footprint(session) {
      const files = await sessionFiles(disk, layout, session);
      if (!files.ok) return files;
      const parts = files.value.map(({ kind, path, bytes }) => ({ kind, address: path, bytes }));
      return ok({ parts, bytes: footprintBytes(files.value) });
    },
    async holder(session) {
      const held = await leases.holder(session);
      if (!held.ok || held.value === null) return held.ok ? ok(null) : held;
      const holder = held.value;
      const state = await judgeHolder(holder, await processes.self(), processes.look);
      return ok({ holder, state, isRecent: clock.now() - holder.heartbeatMs < leasePatienceMs });
    },
    address(session) {
      const path = layout.log(session);
      return path.ok ? path.value : layout.sessions;
    },
  };
}

/** The projects of a data root. */
export interface FileStores extends ProjectStores {
  store(project: string): FileStore;
}

export function createFileStores(options: Omit<FileStoreOptions, "project">): FileStores {
  const { home, disk } = options;
  const store = (project: string) => createFileStore({ ...options, project });
  return {
    kind: "files",
    address: home,
    store,
    async projects() {
      const names = await disk.list(`${home}/projects`);
      if (!names.ok) return names.error.code === "not-found" ? ok([]) : names;
      return ok(names.value.filter(isProjectName));
    },
    async findSecret({ needles }, { except, signal }) {
      const own = await sessionFiles(disk, store(except.project).layout, except.session);
      if (!own.ok) return own;
      const holders = await findSecret(disk, home, needles, signal);
      if (!holders.ok) return holders;
      const paths = new Set(own.value.map(({ path }) => path));
      return ok(holders.value.filter((path) => !paths.has(path)));
    },
    async close() {},
  };
}
