import {
  type BlobStore,
  type Clock,
  type Disk,
  type DiskFile,
  type Ids,
  type LeaseStore,
  type LogListing,
  type LogStore,
  ok,
  type PalimpsestError,
  type Result,
  type WriterIdentity,
} from "../../../spec/index.ts";
import type { Layout } from "../../shared/layout.ts";
import { createDurableFolders, folderOf, inParallel } from "../disk/whole-file.ts";
import { removeSession } from "../upkeep/remove-session.ts";
import { absentSession } from "../upkeep/tombstone.ts";
import { listLog } from "./log-listing.ts";
import { resumeLog, startLog } from "./open-writer.ts";
import { readEntryAt, readLog } from "./read-log.ts";

export interface FileLogStoreOptions {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly leases: LeaseStore;
  readonly blobs: BlobStore;
  /** The writer in every log written here. */
  readonly writer: WriterIdentity;
}

const logSuffix = ".jsonl";
/** How many files are looked at together. */
const filesAtOnce = 16;

export function createFileLogStore(options: FileLogStoreOptions): LogStore {
  const { disk, layout, leases } = options;
  const folders = createDurableFolders(disk, layout.root);

  async function openFile(
    session: string,
    how: "read" | "append",
  ): Promise<Result<{ readonly file: DiskFile; readonly path: string }>> {
    const path = layout.log(session);
    if (!path.ok) return path;
    const file = await disk.open(path.value, how);
    if (file.ok) return ok({ file: file.value, path: path.value });
    return file.error.code === "not-found" ? absentSession(disk, layout, session) : file;
  }

  /** Before a lease is taken, so that none is left behind for a session that never was. */
  async function refuseAbsent(session: string): Promise<Result<never> | null> {
    const path = layout.log(session);
    if (!path.ok) return path;
    const stat = await disk.stat(path.value);
    if (stat.ok) return null;
    return stat.error.code === "not-found" ? absentSession(disk, layout, session) : stat;
  }

  return {
    async create(first, request = {}) {
      const { id } = first.session;
      const path = layout.log(id);
      if (!path.ok) return path;
      const made = await folders.make(folderOf(path.value), request.durability === "fsync");
      if (!made.ok) return made;
      const lease = await leases.acquire(id, request);
      if (!lease.ok) return lease;
      const writer = await startLog(options, path.value, first, lease.value, request);
      if (!writer.ok) await lease.value.release();
      return writer;
    },

    async open(session, visit, request = {}) {
      const absent = await refuseAbsent(session);
      if (absent) return absent;
      const lease = await leases.acquire(session, request);
      if (!lease.ok) return lease;
      // Only now: whoever had the lease before may have put another file in the log's place.
      const opened = await openFile(session, "append");
      if (!opened.ok) {
        await lease.value.release();
        if (isGone(opened.error)) await leases.forget(session);
        return opened;
      }
      const { file, path } = opened.value;
      const writer = await resumeLog(options, session, path, file, lease.value, visit, request);
      if (!writer.ok) {
        await file.close();
        await lease.value.release();
      }
      return writer;
    },

    async scan(session, visit, request = {}) {
      const opened = await openFile(session, "read");
      if (!opened.ok) return opened;
      const { file } = opened.value;
      const read = await readLog(file, visit, request);
      await file.close();
      if (!read.ok) return read;
      const { judge, lines } = read.value;
      judge.tail(lines.end, lines.tailBytes, false);
      return ok(judge.report());
    },

    async read(session, location) {
      const opened = await openFile(session, "read");
      if (!opened.ok) return opened;
      const entry = await readEntryAt(opened.value.file, location, opened.value.path);
      await opened.value.file.close();
      return entry;
    },

    async list() {
      const names = await disk.list(layout.sessions);
      if (!names.ok) return names.error.code === "not-found" ? ok([]) : names;
      const listings: LogListing[] = [];
      for (const name of names.value) {
        if (!name.endsWith(logSuffix)) continue;
        const session = name.slice(0, -logSuffix.length);
        listings.push(await listLog(disk, `${layout.sessions}/${name}`, session));
      }
      return ok(listings.sort(newestFirst));
    },

    async sizes() {
      const names = await disk.list(layout.sessions);
      if (!names.ok) return names.error.code === "not-found" ? ok([]) : names;
      const logs = names.value.filter((name) => name.endsWith(logSuffix));
      const paths = logs.map((name) => `${layout.sessions}/${name}`);
      const stats = await (disk.statAll?.(paths) ?? inParallel(paths, filesAtOnce, disk.stat));
      const sizes = stats.map((stat, at) => {
        const { bytes, modifiedMs } = stat.ok ? stat.value : { bytes: 0, modifiedMs: 0 };
        const session = (logs[at] as string).slice(0, -logSuffix.length);
        return { session, bytes, modifiedAt: new Date(modifiedMs).toISOString() };
      });
      return ok(sizes);
    },

    address(session) {
      const path = layout.log(session);
      return path.ok ? path.value : layout.sessions;
    },

    remove: (session, why) => removeSession(options, session, why),
  };
}

function isGone({ code }: PalimpsestError): boolean {
  return code === "not-found" || code === "collected";
}

function newestFirst(a: LogListing, b: LogListing): number {
  if (a.modifiedAt === b.modifiedAt) return a.session < b.session ? -1 : 1;
  return a.modifiedAt < b.modifiedAt ? 1 : -1;
}
