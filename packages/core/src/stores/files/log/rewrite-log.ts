import { encodeEntry } from "../../../log/codec.ts";
import {
  type Disk,
  type DiskFile,
  type Entry,
  type EntryLocation,
  type Lease,
  ok,
  type Result,
} from "../../../spec/index.ts";
import { refuseTakenOver } from "../../shared/log.ts";
import { folderOf } from "../disk/whole-file.ts";
import { type ReadLogOptions, readLog } from "./read-log.ts";

export interface RewriteLogOptions {
  readonly disk: Disk;
  readonly path: string;
  /** The log, open; what stands behind its last newline is not copied. */
  readonly file: DiskFile;
  readonly lease: Lease;
  /** The entry in an entry's place; the entry itself when absent. Sequence and epoch must stay. */
  readonly replace?: (entry: Entry) => Result<Entry>;
  /** Entries written behind the last one. */
  readonly closing?: readonly Entry[];
  readonly signal?: AbortSignal;
}

export interface RewrittenLog {
  readonly entries: number;
  readonly bytes: number;
}

const batchBytes = 1024 * 1024;

/** Beside the log, so that the rename is atomic; one name, so that the next run replaces what a crash left behind. */
export function rewritePath(path: string): string {
  return `${path}.rewrite`;
}

/**
 * Puts a log in place of the old one that holds the entries in force and nothing else. Whatever happens, the name
 * stands for the whole old log or the whole new one, also after power loss. Refused under a lease taken from a
 * holder not proven dead: what that one still writes would go to the old file and vanish.
 */
export async function rewriteLog(options: RewriteLogOptions): Promise<Result<RewrittenLog>> {
  const { disk, path, lease } = options;
  if (lease.takenOver) return refuseTakenOver(path);
  const temporary = rewritePath(path);
  const cleared = await disk.remove(temporary);
  if (!cleared.ok && cleared.error.code !== "not-found") return cleared;
  const created = await disk.open(temporary, "create");
  if (!created.ok) return created;
  const written = await writeEntries(created.value, options);
  const closed = await created.value.close();
  const placed = written.ok && closed.ok ? await putInPlace(options, temporary) : closed;
  if (written.ok && placed.ok) return written;
  await disk.remove(temporary);
  return written.ok && !placed.ok ? placed : written;
}

async function putInPlace(options: RewriteLogOptions, temporary: string): Promise<Result<void>> {
  const { disk, path, lease } = options;
  const held = await lease.check();
  const renamed = held.ok ? await disk.rename(temporary, path) : held;
  return renamed.ok ? disk.syncDirectory(folderOf(path)) : renamed;
}

async function writeEntries(target: DiskFile, options: RewriteLogOptions): Promise<Result<RewrittenLog>> {
  const { file, replace = ok<Entry>, closing = [], signal } = options;
  let lines: Buffer[] = [];
  let waitingBytes = 0;
  let entries = 0;
  let bytes = 0;

  async function flush(): Promise<Result<void>> {
    const batch = Buffer.concat(lines);
    lines = [];
    waitingBytes = 0;
    bytes += batch.length;
    return batch.length === 0 ? ok() : target.append(batch);
  }

  async function add(entry: Entry): Promise<Result<void>> {
    const line = encodeEntry(entry);
    lines.push(line);
    waitingBytes += line.length;
    entries += 1;
    return waitingBytes < batchBytes ? ok() : flush();
  }

  async function addReplaced(entry: Entry): Promise<Result<void>> {
    const replaced = replace(entry);
    return replaced.ok ? add(replaced.value) : replaced;
  }

  const read = await readEntries(file, addReplaced, { signal });
  if (!read.ok) return read;
  for (const entry of closing) {
    const added = await add(entry);
    if (!added.ok) return added;
  }
  const flushed = await flush();
  const synced = flushed.ok ? await target.sync() : flushed;
  return synced.ok ? ok({ entries, bytes }) : synced;
}

/** Called once per entry, in order; the next one waits. A failure ends the reading. */
type EntryUse = (entry: Entry, location: EntryLocation) => Promise<Result<void>>;

/** As `readLog`, for work on each entry that takes time: no more than one chunk's entries are held at once. */
async function readEntries(
  file: DiskFile,
  use: EntryUse,
  options: ReadLogOptions = {},
): ReturnType<typeof readLog> {
  let waiting: { readonly entry: Entry; readonly place: EntryLocation }[] = [];

  async function useWaiting(): Promise<Result<void>> {
    const batch = waiting;
    waiting = [];
    for (const { entry, place } of batch) {
      const used = await use(entry, place);
      if (!used.ok) return used;
    }
    return ok();
  }

  const paced: DiskFile = {
    ...file,
    async read(position, into) {
      const used = await useWaiting();
      return used.ok ? file.read(position, into) : used;
    },
  };
  const read = await readLog(
    paced,
    (entry, location) => void waiting.push({ entry, place: location }),
    options,
  );
  if (!read.ok) return read;
  const used = await useWaiting();
  return used.ok ? read : used;
}
