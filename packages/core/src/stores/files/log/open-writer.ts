import { createAppendQueue } from "../../../log/append-queue.ts";
import { encodeEntry, formatVersion } from "../../../log/codec.ts";
import { emptyReport } from "../../../log/empty-report.ts";
import { createEntryEncoder, linesOf, placesOf } from "../../../log/entry-encoder.ts";
import {
  type Clock,
  type Disk,
  type DiskFile,
  type Durability,
  type Entry,
  type EntryVisit,
  fail,
  type Ids,
  type Lease,
  type LogReport,
  type LogWriter,
  type OpenLogOptions,
  ok,
  type Result,
  type SessionBody,
  type WriterIdentity,
} from "../../../spec/index.ts";
import { defaultDurability } from "../../shared/log/log-defaults.ts";
import { folderOf, writeWholeFile } from "../disk/whole-file.ts";
import { openLog } from "./open-log.ts";
import { readLog } from "./read-log.ts";

export interface WriterParts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly writer: WriterIdentity;
}

/** Makes the file with its first entry in it, in a folder that is there, under a lease just taken. */
export async function startLog(
  parts: WriterParts,
  path: string,
  first: SessionBody,
  lease: Lease,
  request: OpenLogOptions,
): Promise<Result<LogWriter>> {
  const { disk, clock, ids } = parts;
  const session = first.session.id;
  const durability = request.durability ?? defaultDurability;
  const body: SessionBody = { ...first, session: { ...first.session, writer: parts.writer } };
  const at = new Date(clock.now()).toISOString();
  const seq = (request.afterSeq ?? 0) + 1;
  const entry: Entry = { v: formatVersion, seq, epoch: lease.epoch, id: ids.next("ent"), at, ...body };
  const line = encodeEntry(entry);
  const temporary = `${folderOf(path)}/${ids.next("tmp")}`;
  const durable = durability === "fsync";
  const written = await writeWholeFile(disk, path, line, { temporary, durable, when: "absent" });
  if (!written.ok) return written.error.code === "exists" ? sessionExists(session, path) : written;
  const file = await disk.open(path, "append");
  if (!file.ok) return file;
  const report: LogReport = {
    ...emptyReport,
    entries: 1,
    lastSeq: seq,
    epoch: lease.epoch,
    end: line.length,
  };
  return ok(
    createFileLogWriter({
      session,
      file: file.value,
      size: line.length,
      lease,
      clock,
      ids,
      durability,
      report,
    }),
  );
}

/** Reads and mends the log, then announces the new writer, under a lease just taken. */
export async function resumeLog(
  parts: WriterParts,
  session: string,
  path: string,
  file: DiskFile,
  lease: Lease,
  visit: EntryVisit,
  request: OpenLogOptions,
): Promise<Result<LogWriter>> {
  const at = new Date(parts.clock.now()).toISOString();
  const opened = await openLog(parts.disk, file, path, visit, { at, signal: request.signal });
  if (!opened.ok) return opened;
  if (opened.value.report.epoch >= lease.epoch) {
    const raised = await lease.raise(opened.value.report.epoch);
    if (!raised.ok) return raised;
  }
  let { report, size } = opened.value;
  for (;;) {
    const durability = request.durability ?? defaultDurability;
    const writer = createFileLogWriter({ ...parts, session, file, size, lease, durability, report });
    const announced = await writer.append([
      { kind: "note", note: { topic: "writer", writer: parts.writer } },
    ]);
    const flushed = announced.ok ? await writer.flush() : announced;
    if (!flushed.ok) return flushed;
    if (!lease.takenOver) return ok(writer);
    const late = await readLate(file, lease.epoch, size, report, visit);
    if (!late.ok) return late;
    if (late.value.entries === report.entries) return ok(writer);
    report = late.value;
    size = late.value.end;
  }
}

/**
 * A writer that was taken over may have written between our reading and our announcement. Those lines are in force
 * for everyone, so they are visited too, and the announcement is made again behind them.
 */
async function readLate(
  file: DiskFile,
  epoch: number,
  from: number,
  before: LogReport,
  visit: EntryVisit,
): Promise<Result<LogReport>> {
  let { entries, lastSeq } = before;
  const read = await readLog(
    file,
    (entry, place) => {
      if (entry.epoch >= epoch || entry.seq <= lastSeq) return;
      entries += 1;
      lastSeq = entry.seq;
      visit(entry, place);
    },
    { from },
  );
  return read.ok ? ok({ ...before, entries, lastSeq, end: read.value.lines.end }) : read;
}

function sessionExists(session: string, path: string): Result<never> {
  return fail("exists", `Session ${session} exists already.`, {
    path,
    fix: "Resume it, or choose another id.",
  });
}

interface FileLogWriterOptions {
  readonly session: string;
  readonly file: DiskFile;
  readonly size: number;
  readonly lease: Lease;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly durability: Durability;
  readonly report: LogReport;
}

/** Owns the file and the lease from here on. */
function createFileLogWriter(options: FileLogWriterOptions): LogWriter {
  const { session, file, lease, clock, ids, durability, report } = options;
  const encoder = createEntryEncoder({ clock, ids, lastSeq: report.lastSeq, epoch: () => lease.epoch });
  let closing: Promise<Result<void>> | null = null;
  const queue = createAppendQueue({
    file,
    size: options.size,
    durability,
    clock,
    contested: lease.takenOver,
    mayWrite,
  });

  /** What is written to a file without a name is lost, however often it is acknowledged. */
  async function mayWrite(): Promise<Result<void>> {
    const held = await lease.check();
    if (!held.ok) return held;
    const stat = await file.stat();
    if (!stat.ok || stat.value.links > 0) return stat.ok ? ok() : stat;
    return fail("not-found", `The log of session ${session} was deleted or replaced while it was open.`, {
      path: session,
      fix: "Open the session again, or begin another one.",
    });
  }

  async function close(): Promise<Result<void>> {
    const flushed = await queue.close();
    const closed = await file.close();
    const released = await lease.release();
    return flushed.ok ? (closed.ok ? released : closed) : flushed;
  }

  return {
    session,
    get epoch() {
      return lease.epoch;
    },
    report,
    async append(drafts) {
      if (drafts.length === 0) return ok([]);
      const encoded = encoder.encode(drafts);
      if (!encoded.ok) return encoded;
      const written = await queue.append(linesOf(encoded.value));
      return written.ok ? ok(placesOf(encoded.value, written.value)) : written;
    },
    flush: () => queue.flush(),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
