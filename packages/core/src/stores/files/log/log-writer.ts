import { createAppendQueue } from "../../../log/append-queue.ts";
import { createEntryEncoder, linesOf, placesOf } from "../../../log/entry-encoder.ts";
import {
  type Clock,
  type DiskFile,
  type Durability,
  fail,
  type Ids,
  type Lease,
  type LogReport,
  type LogWriter,
  ok,
  type Result,
} from "../../../spec/index.ts";

export interface FileLogWriterOptions {
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
export function createFileLogWriter(options: FileLogWriterOptions): LogWriter {
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
