import { type Disk, type Ids, ok, type Result } from "../../../spec/index.ts";
import { formatRecord, type LockRecord } from "./lock-record.ts";

/** The lock's own name; claims and unfinished files stand beside it. Trees pass over hidden names. */
export const lockName = ".consolidate-lock";

const claimPattern = /^\.consolidate-lock\.(\d{12})$/;
const unfinishedPattern = /^\.consolidate-lock\.\w*tmp_[\w-]+$/;

export interface LockNames {
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
