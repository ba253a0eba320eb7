import type {
  Clock,
  Disk,
  DiskFile,
  EntryVisit,
  Ids,
  Lease,
  LeaseStore,
  LogReport,
  Result,
  UpkeepOptions,
} from "../../../spec/index.ts";
import type { Layout } from "../../shared/layout.ts";
import { absentSession } from "../upkeep/tombstone.ts";
import { openLog } from "./open-writer.ts";

/** The base of work on a whole log. */
export interface LogParts {
  readonly disk: Disk;
  readonly layout: Layout;
  readonly leases: LeaseStore;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** A log in the hands of its one writer, its damaged bytes already copied aside. */
export interface HeldLog {
  readonly session: string;
  readonly path: string;
  readonly file: DiskFile;
  readonly lease: Lease;
  readonly report: LogReport;
  /** The file's size before its last line was mended or cut off. */
  readonly bytesBefore: number;
}

/** Takes the lease, opens the log as a writer would, works on it, and gives the lease back whatever happens. */
export async function holdLog<T>(
  parts: LogParts,
  session: string,
  options: UpkeepOptions,
  work: (held: HeldLog) => Promise<Result<T>>,
): Promise<Result<T>> {
  const { disk, layout, leases, clock } = parts;
  const path = layout.log(session);
  if (!path.ok) return path;
  const present = await disk.stat(path.value);
  if (!present.ok) return present.error.code === "not-found" ? absentSession(disk, layout, session) : present;
  const lease = await leases.acquire(session, { takeOver: options.takeOver });
  if (!lease.ok) return lease;
  // Only now: whoever had the lease before may have put another file in the log's place.
  const file = await disk.open(path.value, "append");
  try {
    if (!file.ok) return file;
    const before = await file.value.stat();
    if (!before.ok) return before;
    const at = new Date(clock.now()).toISOString();
    const opened = await openLog(disk, file.value, path.value, ignore, { at, signal: options.signal });
    if (!opened.ok) return opened;
    return await work({
      session,
      path: path.value,
      file: file.value,
      lease: lease.value,
      report: opened.value.report,
      bytesBefore: before.value.bytes,
    });
  } finally {
    if (file.ok) await file.value.close();
    await lease.value.release();
  }
}

const ignore: EntryVisit = () => undefined;
