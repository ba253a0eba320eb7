import { isCount, parseJson } from "../../../json/json-values.ts";
import {
  type ConsolidationHolder,
  type Disk,
  type DiskFile,
  type Ids,
  ok,
  type Result,
} from "../../../spec/index.ts";

/** The content of the lock's file, and of every claim to it. */
export interface LockRecord {
  /** Of the claim it was made by; grows with every holder. */
  readonly number: number;
  /** `null`: nobody has it. */
  readonly holder: ConsolidationHolder | null;
  /** The last consolidation before the holder's, in milliseconds; 0: none. */
  readonly previousMs: number;
}

/** A record as it was found; the time of the last consolidation is `lastMs`. */
export interface SeenRecord extends LockRecord {
  readonly lastMs: number;
  /** Of the file; empty where there is none. */
  readonly identity: string;
}

const noRecord: SeenRecord = { number: 0, holder: null, previousMs: 0, lastMs: 0, identity: "" };

/** A record is small: a larger file is none. */
const maxRecordBytes = 16 * 1024;

/**
 * Total about content: a file that is no record counts as one that nobody holds, consolidated when it was modified. While
 * somebody holds the lock, what the record says counts and not the file's own time, which a stranger may have touched.
 */
export async function readLockRecord(disk: Disk, path: string): Promise<Result<SeenRecord>> {
  const opened = await disk.open(path, "read");
  if (!opened.ok) return opened.error.code === "not-found" ? ok(noRecord) : opened;
  try {
    return await readOpen(opened.value);
  } finally {
    await opened.value.close();
  }
}

async function readOpen(file: DiskFile): Promise<Result<SeenRecord>> {
  const stat = await file.stat();
  if (!stat.ok) return stat;
  const { bytes, identity } = stat.value;
  const modifiedMs = Math.round(stat.value.modifiedMs);
  const content = new Uint8Array(Math.min(bytes, maxRecordBytes));
  const read = await file.read(0, content);
  if (!read.ok) return read;
  const record = parseRecord(Buffer.from(content.subarray(0, read.value)).toString("utf8"));
  if (record === null) return ok({ ...noRecord, lastMs: modifiedMs, identity });
  return ok({ ...record, lastMs: record.holder === null ? modifiedMs : record.previousMs, identity });
}

function formatRecord(record: LockRecord): Uint8Array {
  return Buffer.from(`${JSON.stringify(record)}\n`);
}

function parseRecord(text: string): LockRecord | null {
  const { number, holder, previousMs } = (parseJson(text) ?? {}) as Partial<LockRecord>;
  if (!isCount(number) || !isCount(previousMs)) return null;
  if (holder === null) return { number, holder, previousMs };
  return isHolder(holder) ? { number, holder, previousMs } : null;
}

function isHolder(value: Partial<ConsolidationHolder> | undefined): value is ConsolidationHolder {
  if (typeof value !== "object") return false;
  const { pid, sinceMs, ...texts } = value;
  const { startTime, bootId, host, pidNamespace, token } = texts;
  const isNamed = [startTime, bootId, host, pidNamespace, token].every((text) => typeof text === "string");
  return isNamed && isCount(pid) && typeof sinceMs === "number";
}

/** The lock's own name; claims and unfinished files stand beside it. Trees pass over hidden names. */
export const lockName = ".consolidate-lock";

const claimPattern = /^\.consolidate-lock\.(\d{12})$/;
const unfinishedPattern = /^\.consolidate-lock\.\w*tmp_[\w-]+$/;

interface LockNames {
  /** Numbers of claims, growing. */
  readonly claims: readonly number[];
  readonly unfinished: readonly string[];
}

export function claimPath(folder: string, number: number): string {
  return `${folder}/${lockName}.${String(number).padStart(12, "0")}`;
}

export async function listLockNames(disk: Disk, folder: string): Promise<Result<LockNames>> {
  const names = await disk.list(folder);
  if (!names.ok) return names.error.code === "not-found" ? ok({ claims: [], unfinished: [] }) : names;
  return ok({
    claims: names.value.flatMap((name) => claimPattern.exec(name)?.[1] ?? []).map(Number),
    unfinished: names.value.filter((name) => unfinishedPattern.test(name)),
  });
}

/**
 * A whole record under a name of its own, with the time it is to have, all of it safe from power loss before any other
 * name points to it. Gives the path.
 */
export async function writeUnfinished(
  disk: Disk,
  ids: Ids,
  folder: string,
  record: LockRecord,
  modifiedMs: number,
): Promise<Result<string>> {
  const path = `${folder}/${lockName}.${ids.next("tmp")}`;
  const created = await disk.open(path, "create");
  if (!created.ok) return created;
  const file = created.value;
  let outcome = await file.append(formatRecord(record));
  if (outcome.ok) outcome = await file.setModified(modifiedMs);
  if (outcome.ok) outcome = await file.sync();
  const closed = await file.close();
  if (outcome.ok) outcome = closed;
  if (outcome.ok) return ok(path);
  await disk.remove(path);
  return outcome;
}
