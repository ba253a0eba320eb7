import { createAppendQueue } from "../../../log/append-queue.ts";
import {
  createEntryEncoder,
  emptyReport,
  encodeEntry,
  formatVersion,
  linesOf,
  placesOf,
} from "../../../log/codec.ts";
import { salvage } from "../../../log/scan-lines.ts";
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
  type LogDamage,
  type LogReport,
  type LogWriter,
  type OpenLogOptions,
  ok,
  type Result,
  type SessionBody,
  type WriterIdentity,
} from "../../../spec/index.ts";
import { defaultDurability, newerFormat, nothingReadable } from "../../shared/log.ts";
import { folderOf, writeWholeFile } from "../disk/whole-file.ts";
import { createRangeCollector, keepAside } from "./aside.ts";
import { readLog } from "./read-log.ts";

interface WriterParts {
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
    (entry, location) => {
      if (entry.epoch >= epoch || entry.seq <= lastSeq) return;
      entries += 1;
      lastSeq = entry.seq;
      visit(entry, location);
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

  /** Lines written to a file without a name are lost, however often they are acknowledged. */
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

interface OpenedLog {
  readonly report: LogReport;
  /** The file's size once damage was dealt with: it ends in a newline. */
  readonly size: number;
}

const newline = Buffer.from("\n");
const keptInPlace = ["corrupt", "fenced"] as const;

/**
 * Reads a log for its lease holder. Torn bytes are copied aside and cut off, unless a whole entry is among them: then
 * the line gets the newline it lacks. Corrupt and fenced lines are copied aside and stay where they are: rewriting the file here would take it
 * from under a fenced writer, whose late lines would then vanish instead of being found. A log in which nothing can
 * be read is not touched.
 */
export async function openLog(
  disk: Disk,
  file: DiskFile,
  path: string,
  visit: EntryVisit,
  options: { readonly at: string; readonly signal?: AbortSignal },
): Promise<Result<OpenedLog>> {
  const collector = createRangeCollector();
  const read = await readLog(file, visit, { onDamage: collector.add, signal: options.signal });
  if (!read.ok) return read;
  const { judge, lines } = read.value;
  const { tail, tailBytes } = lines;
  const lacksNewline = tail !== null && tailBytes > 0 && holdsEntry(tail);
  if (lacksNewline) judge.line(tail, 0, tailBytes, lines.end);
  else judge.tail(lines.end, tailBytes, true);
  const report = judge.report();
  if (report.version > formatVersion) return newerFormat(path, report.version);
  if (report.entries === 0) return nothingReadable(path, tailBytes + lines.end);

  const asides: string[] = [];
  const keep = async (kind: LogDamage["kind"]): Promise<Result<void>> => {
    const ranges = collector.ranges.filter((range) => range.kind === kind);
    if (ranges.length === 0) return ok();
    asides.push(`${path}.${kind}`);
    return keepAside(disk, file, `${path}.${kind}`, ranges, options.at);
  };
  for (const kind of keptInPlace) {
    const kept = await keep(kind);
    if (!kept.ok) return kept;
  }
  const mended = lacksNewline ? await file.append(newline) : await cutTail();
  if (!mended.ok) return mended;
  return ok({ report: { ...report, asides }, size: report.end });

  async function cutTail(): Promise<Result<void>> {
    if (tailBytes === 0) return ok();
    const kept = await keep("torn");
    return kept.ok ? file.truncate(lines.end) : kept;
  }
}

/** Looks at a copy, since decoding writes into its buffer. */
function holdsEntry(tail: Buffer): boolean {
  return salvage(Buffer.from(tail)).length > 0;
}
