import { createAppendQueue } from "../../log/append-queue.ts";
import { encodeEntry, formatVersion } from "../../log/codec.ts";
import {
  type Clock,
  type DiskFile,
  type Durability,
  type Entry,
  type EntryDraft,
  fail,
  type Ids,
  type Lease,
  type LogReport,
  type LogWriter,
  ok,
  type Result,
} from "../../spec/index.ts";

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

/** Id prefixes by kind, so that an id says what it names. */
export const entryPrefixes = { session: "ent", message: "msg", decision: "dec", note: "note" } as const;

/** Owns the file and the lease from here on. */
export function createFileLogWriter(options: FileLogWriterOptions): LogWriter {
  const { session, file, lease, clock, ids, durability, report } = options;
  let lastSeq = report.lastSeq;
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

  function toEntry(draft: EntryDraft): Entry {
    lastSeq += 1;
    const {
      id = ids.next(entryPrefixes[draft.kind]),
      at = new Date(clock.now()).toISOString(),
      ...body
    } = draft;
    return { v: formatVersion, seq: lastSeq, epoch: lease.epoch, id, at, ...body } as Entry;
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
      const before = lastSeq;
      const encoded: { readonly entry: Entry; readonly line: Buffer }[] = [];
      try {
        for (const draft of drafts) {
          const entry = toEntry(draft);
          encoded.push({ entry, line: encodeEntry(entry) });
        }
      } catch (cause) {
        lastSeq = before;
        return fail("invalid-input", "An entry cannot be written as JSON.", {
          cause,
          fix: "Remove cycles and BigInts from it.",
        });
      }
      const written = await queue.append(Buffer.concat(encoded.map(({ line }) => line)));
      if (!written.ok) return written;
      let place = written.value;
      return ok(
        encoded.map(({ entry, line }) => {
          const at = place;
          place += line.length;
          return { entry, place: at };
        }),
      );
    },
    flush: () => queue.flush(),
    close() {
      closing ??= close();
      return closing;
    },
  };
}
