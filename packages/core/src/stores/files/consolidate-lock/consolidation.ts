import {
  type Clock,
  type Consolidation,
  type Disk,
  fail,
  type Ids,
  ok,
  type Result,
} from "../../../spec/index.ts";
import { lockName, writeUnfinished } from "./lock-files.ts";
import { type LockRecord, readLockRecord } from "./lock-record.ts";

export interface ConsolidationOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly folder: string;
  /** The lock as this process has put it there. */
  readonly record: LockRecord;
}

/** The lock just taken. */
export function createConsolidation(options: ConsolidationOptions): Consolidation {
  const { disk, clock, ids, folder, record } = options;
  const path = `${folder}/${lockName}`;
  let isOver = false;

  /** One rename changes holder and time together. */
  async function end(lastMs: number): Promise<Result<void>> {
    if (isOver) return ok();
    const now = await readLockRecord(disk, path);
    if (!now.ok) return now;
    if (now.value.holder?.token !== record.holder?.token) {
      return fail("fenced", "Another process has taken the lock of the memory folder.", {
        path,
        fix: "Nothing to do: it puts memory in order now.",
      });
    }
    const free = { number: record.number, holder: null, previousMs: record.previousMs };
    const unfinished = await writeUnfinished(disk, ids, folder, free, lastMs);
    if (!unfinished.ok) return unfinished;
    const renamed = await disk.rename(unfinished.value, path);
    if (!renamed.ok) await disk.remove(unfinished.value);
    if (!renamed.ok) return renamed;
    isOver = true;
    return disk.syncDirectory(folder);
  }

  return {
    previousMs: record.previousMs || null,
    complete: () => end(clock.now()),
    abandon: () => end(record.previousMs),
  };
}
