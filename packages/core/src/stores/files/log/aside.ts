import { createHash } from "node:crypto";
import { type Disk, type DiskFile, type LogDamage, ok, type Result } from "../../../spec/index.ts";
import { folderOf } from "../disk/whole-file.ts";

/** Neighbouring damages of one kind as one range. */
export interface DamagedRange {
  readonly kind: LogDamage["kind"];
  readonly offset: number;
  readonly bytes: number;
}

/**
 * Damaged bytes are kept beside the log in `<name>.torn`, `.corrupt` or `.fenced`, as records: a line of JSON that
 * says where they stood and how many they are, the bytes themselves, a newline.
 */
interface AsideHeader {
  readonly at: string;
  readonly offset: number;
  readonly bytes: number;
  readonly sha256: string;
}

const newline = 0x0a;
const maxHeaderBytes = 512;
const copyBytes = 1024 * 1024;

/** Collects damages into ranges, so that a log full of rubbish costs no more memory than a good one. */
export function createRangeCollector(): {
  add(damage: LogDamage): void;
  readonly ranges: readonly DamagedRange[];
} {
  const ranges: DamagedRange[] = [];
  return {
    ranges,
    add({ kind, offset, bytes }) {
      const last = ranges.at(-1);
      if (last && last.kind === kind && last.offset + last.bytes + 1 >= offset) {
        ranges[ranges.length - 1] = { kind, offset: last.offset, bytes: offset + bytes - last.offset };
      } else ranges.push({ kind, offset, bytes });
    },
  };
}

/** Copies the ranges out of the log, once however often the log is opened, and makes the copies survive power loss. */
export async function keepAside(
  disk: Disk,
  log: DiskFile,
  path: string,
  ranges: readonly DamagedRange[],
  at: string,
): Promise<Result<void>> {
  const created = await disk.open(path, "create");
  const opened = !created.ok && created.error.code === "exists" ? await disk.open(path, "append") : created;
  if (!opened.ok) return opened;
  const file = opened.value;
  try {
    const records = await readRecords(file);
    if (!records.ok) return records;
    const { known, end } = records.value;
    const trimmed = await file.truncate(end);
    if (!trimmed.ok) return trimmed;
    for (const { offset, bytes } of ranges) {
      const sha256 = await hashRange(log, offset, bytes);
      if (!sha256.ok) return sha256;
      if (known.has(keyOf({ offset, bytes, sha256: sha256.value }))) continue;
      const copied = await copyRecord(log, file, { at, offset, bytes, sha256: sha256.value });
      if (!copied.ok) return copied;
    }
    const synced = await file.sync();
    return synced.ok ? await disk.syncDirectory(folderOf(path)) : synced;
  } finally {
    await file.close();
  }
}

function keyOf({ offset, bytes, sha256 }: Omit<AsideHeader, "at">): string {
  return `${offset}:${bytes}:${sha256}`;
}

interface AsideRecords {
  readonly known: ReadonlySet<string>;
  /** Where the last whole record ends: a crash may have left half a one, whose bytes are still in the log. */
  readonly end: number;
}

async function readRecords(file: DiskFile): Promise<Result<AsideRecords>> {
  const stat = await file.stat();
  if (!stat.ok) return stat;
  const known = new Set<string>();
  const head = Buffer.alloc(maxHeaderBytes);
  let end = 0;
  for (;;) {
    const read = await file.read(end, head);
    if (!read.ok) return read;
    const header = parseHeader(head.subarray(0, read.value));
    const next = header === null ? Number.POSITIVE_INFINITY : end + header.length + header.value.bytes + 1;
    if (header === null || next > stat.value.bytes) return ok({ known, end });
    // Power loss may have kept a record's header and lost its bytes.
    const actual = await hashRange(file, end + header.length, header.value.bytes);
    if (!actual.ok) return actual;
    if (actual.value === header.value.sha256) known.add(keyOf(header.value));
    end = next;
  }
}

function parseHeader(bytes: Buffer): { readonly value: AsideHeader; readonly length: number } | null {
  const end = bytes.indexOf(newline);
  if (end === -1) return null;
  try {
    const value = JSON.parse(bytes.toString("utf8", 0, end)) as AsideHeader;
    return Number.isSafeInteger(value?.bytes) && value.bytes >= 0 ? { value, length: end + 1 } : null;
  } catch {
    return null;
  }
}

async function eachChunk(
  log: DiskFile,
  offset: number,
  bytes: number,
  use: (chunk: Buffer) => Promise<Result<void>> | Result<void>,
): Promise<Result<void>> {
  const buffer = Buffer.allocUnsafe(Math.min(bytes, copyBytes));
  for (let done = 0; done < bytes; ) {
    const read = await log.read(offset + done, buffer.subarray(0, Math.min(buffer.length, bytes - done)));
    if (!read.ok) return read;
    if (read.value === 0) break;
    const used = await use(buffer.subarray(0, read.value));
    if (!used.ok) return used;
    done += read.value;
  }
  return ok();
}

async function hashRange(log: DiskFile, offset: number, bytes: number): Promise<Result<string>> {
  const hash = createHash("sha256");
  const read = await eachChunk(log, offset, bytes, (chunk) => {
    hash.update(chunk);
    return ok();
  });
  return read.ok ? ok(hash.digest("hex")) : read;
}

async function copyRecord(log: DiskFile, file: DiskFile, header: AsideHeader): Promise<Result<void>> {
  const begun = await file.append(Buffer.from(`${JSON.stringify(header)}\n`));
  if (!begun.ok) return begun;
  const copied = await eachChunk(log, header.offset, header.bytes, (chunk) => file.append(chunk));
  return copied.ok ? file.append(Buffer.of(newline)) : copied;
}
