import { type Disk, type Ids, type LeaseHolder, ok, type Result } from "../../../spec/index.ts";
import { readWholeFile, writeWholeFile } from "../disk/whole-file.ts";

/**
 * A lease is a folder with one file per epoch, `<epoch>.json`; the highest is in force. Creating the next number by
 * `link` succeeds for exactly one process, so taking a lease over needs no second lock.
 */
export interface LeaseRecord {
  readonly epoch: number;
  /** `null`: given back, or unreadable, which only power loss can cause since records appear whole. */
  readonly holder: LeaseHolder | null;
}

const recordName = /^(\d{12})\.json$/;

function recordPath(folder: string, epoch: number): string {
  return `${folder}/${String(epoch).padStart(12, "0")}.json`;
}

export async function listEpochs(disk: Disk, folder: string): Promise<Result<readonly number[]>> {
  const names = await disk.list(folder);
  if (!names.ok) return names.error.code === "not-found" ? ok([]) : names;
  return ok(names.value.flatMap((name) => recordName.exec(name)?.[1] ?? []).map(Number));
}

export async function readRecord(disk: Disk, folder: string, epoch: number): Promise<Result<LeaseRecord>> {
  const bytes = await readWholeFile(disk, recordPath(folder, epoch));
  if (!bytes.ok) return bytes;
  try {
    const value = JSON.parse(Buffer.from(bytes.value).toString("utf8")) as LeaseHolder & {
      released?: boolean;
    };
    const isHolder =
      typeof value.pid === "number" && typeof value.token === "string" && value.released !== true;
    return ok({ epoch, holder: isHolder ? value : null });
  } catch {
    return ok({ epoch, holder: null });
  }
}

/** `exists` when another process was first. */
export function claimEpoch(disk: Disk, ids: Ids, folder: string, holder: LeaseHolder): Promise<Result<void>> {
  return put(disk, ids, folder, holder.epoch, holder, "absent");
}

export function renewRecord(
  disk: Disk,
  ids: Ids,
  folder: string,
  holder: LeaseHolder,
): Promise<Result<void>> {
  return put(disk, ids, folder, holder.epoch, holder, "replace");
}

/** Leaves the record in place, marked, so that epochs never start again. */
export function releaseRecord(
  disk: Disk,
  ids: Ids,
  folder: string,
  holder: LeaseHolder,
): Promise<Result<void>> {
  return put(disk, ids, folder, holder.epoch, { ...holder, released: true }, "replace");
}

export async function removeRecord(disk: Disk, folder: string, epoch: number): Promise<Result<void>> {
  return disk.remove(recordPath(folder, epoch));
}

function put(
  disk: Disk,
  ids: Ids,
  folder: string,
  epoch: number,
  record: object,
  when: "absent" | "replace",
): Promise<Result<void>> {
  const bytes = Buffer.from(`${JSON.stringify(record)}\n`);
  const temporary = `${folder}/${ids.next("tmp")}`;
  return writeWholeFile(disk, recordPath(folder, epoch), bytes, { temporary, durable: false, when });
}
