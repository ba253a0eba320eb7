import {
  type Clock,
  type DiskFile,
  type Durability,
  fail,
  ok,
  type PalimpsestError,
  type Result,
} from "../spec/index.ts";

/** `relaxed` writes at the latest after this many milliseconds … */
export const relaxedFlushMs = 100;
/** … or when this many bytes wait. Together they are the most that a killed process loses at that level. */
export const relaxedFlushBytes = 64 * 1024;

/** A file, or what behaves like the end of one. `stat` is asked only where others may write too. */
export type AppendTarget = Pick<DiskFile, "append" | "truncate" | "sync"> & Partial<Pick<DiskFile, "stat">>;

export interface AppendQueueOptions {
  readonly file: AppendTarget;
  /** The file's size: everything before it is whole lines. */
  readonly size: number;
  readonly durability: Durability;
  readonly clock: Clock;
  /** Asked before every write; a failure stops the write. */
  readonly mayWrite: () => Promise<Result<void>>;
  /** Another process may still write to the file: every batch starts on a line of its own, wherever the end is. */
  readonly contested: boolean;
}

/** Puts lines at the end of a file, many callers' lines in one write and one sync. */
export interface AppendQueue {
  /** Gives the offset of the lines. Whole lines only. At `relaxed` a failed write fails every later call. */
  append(lines: Uint8Array): Promise<Result<number>>;
  flush(): Promise<Result<void>>;
  /** Flushes; afterwards every append is refused. Does not close the file. */
  close(): Promise<Result<void>>;
}

interface WaitingLines {
  readonly lines: Uint8Array;
  /** Absent where nobody waits for them to be written. */
  readonly settle?: (outcome: Result<number>) => void;
}

const freshLine = Buffer.from("\n");

export function createAppendQueue(options: AppendQueueOptions): AppendQueue {
  const { file, durability, clock, mayWrite, contested } = options;
  /** Where the next batch is written. */
  let size = options.size;
  let waiting: WaitingLines[] = [];
  /** Bytes accepted and not yet written, the batch being written included. */
  let unwrittenBytes = 0;
  let draining: Promise<void> | null = null;
  let timer: AbortController | null = null;
  /** Once set, what the caller believes and what the file holds may differ: only opening the log again helps. */
  let broken: PalimpsestError | null = null;
  let closed = false;

  async function write(bytes: Uint8Array): Promise<Result<number>> {
    if (broken) return { ok: false, error: broken };
    const allowed = await mayWrite();
    if (!allowed.ok) return allowed;
    if (contested && file.stat) {
      const stat = await file.stat();
      if (!stat.ok) return stat;
      size = stat.value.bytes;
    }
    const batch = contested ? Buffer.concat([freshLine, bytes]) : bytes;
    const written = await file.append(batch);
    if (!written.ok) return takeBack(written.error);
    const start = size + batch.length - bytes.length;
    size += batch.length;
    if (durability !== "fsync") return ok(start);
    const synced = await file.sync();
    if (synced.ok) return ok(start);
    broken = synced.error;
    return synced;
  }

  /** A failed write may have left a beginning of the batch: none of it may count later. */
  async function takeBack(error: PalimpsestError): Promise<Result<number>> {
    const isClean = !contested && (await file.truncate(size)).ok;
    if (!isClean) broken = error;
    return { ok: false, error };
  }

  async function drain(): Promise<void> {
    timer?.abort();
    timer = null;
    while (waiting.length > 0) {
      const batch = waiting;
      waiting = [];
      const outcome = await write(Buffer.concat(batch.map(({ lines }) => lines)));
      if (!outcome.ok && durability === "relaxed") broken ??= outcome.error;
      let offset = outcome.ok ? outcome.value : 0;
      for (const { lines, settle } of batch) {
        settle?.(outcome.ok ? ok(offset) : outcome);
        offset += lines.length;
        unwrittenBytes -= lines.length;
      }
    }
  }

  function startDraining(): Promise<void> {
    draining ??= drain().finally(() => {
      draining = null;
    });
    return draining;
  }

  function drainLater(): void {
    if (timer || draining) return;
    const waker = new AbortController();
    timer = waker;
    void clock.sleep(relaxedFlushMs, waker.signal).then(() => {
      if (!waker.signal.aborted) void startDraining();
    });
  }

  async function flush(): Promise<Result<void>> {
    while (waiting.length > 0 || draining) await startDraining();
    return broken ? { ok: false, error: broken } : ok();
  }

  return {
    async append(lines) {
      if (closed) return fail("closed", "The log is closed.", { fix: "Open the session again." });
      if (broken) return { ok: false, error: broken };
      const location = size + unwrittenBytes;
      unwrittenBytes += lines.length;
      if (durability === "relaxed" && unwrittenBytes < relaxedFlushBytes) {
        waiting.push({ lines });
        drainLater();
        return ok(location);
      }
      const settled = new Promise<Result<number>>((settle) => {
        waiting.push({ lines, settle });
      });
      void startDraining();
      return settled;
    },
    flush,
    async close() {
      closed = true;
      return flush();
    },
  };
}
