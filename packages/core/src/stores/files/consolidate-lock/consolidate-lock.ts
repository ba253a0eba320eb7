import {
  type Clock,
  type ConsolidateLock,
  type Consolidation,
  type Disk,
  type ErrorCode,
  fail,
  type Ids,
  ok,
  type Processes,
  type Result,
} from "../../../spec/index.ts";
import { judgeLock, restoreLock } from "../../shared/consolidate-lock.ts";
import { createDurableFolders } from "../disk/whole-file.ts";
import {
  claimPath,
  type LockRecord,
  listLockNames,
  lockName,
  readLockRecord,
  type SeenRecord,
  writeUnfinished,
} from "./lock-record.ts";

export interface FileConsolidateLockOptions {
  readonly disk: Disk;
  /** The memory folder, absolute. */
  readonly folder: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
}

/** Rounds lost to other processes before giving up: each one means that somebody else won. */
const maxRounds = 50;

/** Another one has the claim; or it had the lock first and swept. */
const lostRound: ReadonlySet<ErrorCode> = new Set(["exists", "not-found"]);

interface Survey {
  readonly lock: SeenRecord;
  /** Claims that are not in force yet: somebody is taking the lock, or died doing so. */
  readonly pending: readonly number[];
  readonly highest: number;
}

/**
 * The file `.consolidate-lock` in the memory folder: its time is that of the last consolidation, its content says who
 * is at work. A process that wants the lock writes a file with the very same time, links it to the next claim's number,
 * which succeeds for exactly one, sees that nobody else has moved, and renames it over the lock. So the lock is there at
 * every moment, and a process that dies anywhere leaves its time as it was.
 */
export function createFileConsolidateLock(options: FileConsolidateLockOptions): ConsolidateLock {
  const { disk, folder, clock, ids, processes } = options;
  const folders = createDurableFolders(disk, folder);
  const path = `${folder}/${lockName}`;

  async function survey(): Promise<Result<Survey>> {
    const lock = await readLockRecord(disk, path);
    if (!lock.ok) return lock;
    const names = await listLockNames(disk, folder);
    if (!names.ok) return names;
    const pending = names.value.claims.filter((number) => number > lock.value.number);
    return ok({ lock: lock.value, pending, highest: pending.at(-1) ?? lock.value.number });
  }

  /** The first refusal of the holder, or of one who is about to be it. */
  async function judge({ lock, pending }: Survey): Promise<Result<void>> {
    const refusal = await judgeLock(path, lock.holder, options);
    if (refusal !== null) return refusal;
    for (const number of pending) {
      const claim = await readLockRecord(disk, claimPath(folder, number));
      if (!claim.ok) return claim;
      const refused = await judgeLock(path, claim.value.holder, options);
      if (refused !== null) return refused;
    }
    return ok();
  }

  async function isUnmoved(seen: Survey, own: number): Promise<Result<boolean>> {
    const now = await survey();
    if (!now.ok) return now;
    const isSame =
      now.value.lock.identity === seen.lock.identity && now.value.lock.number === seen.lock.number;
    return ok(isSame && now.value.pending.every((number) => number === own || seen.pending.includes(number)));
  }

  async function claim(seen: Survey, record: LockRecord): Promise<Result<Consolidation | null>> {
    const unfinished = await writeUnfinished(disk, ids, folder, record, record.previousMs);
    if (!unfinished.ok) return unfinished;
    const claimed = claimPath(folder, record.number);
    const linked = await disk.link(unfinished.value, claimed);
    const unmoved = linked.ok ? await isUnmoved(seen, record.number) : linked;
    if (unmoved.ok && unmoved.value === true) return take(unfinished.value, record);
    if (linked.ok) await disk.remove(claimed);
    await disk.remove(unfinished.value);
    return unmoved.ok || lostRound.has(unmoved.error.code) ? ok(null) : unmoved;
  }

  /** A rename that failed may have happened all the same: what the lock says now decides. */
  async function take(unfinished: string, record: LockRecord): Promise<Result<Consolidation | null>> {
    const renamed = await disk.rename(unfinished, path);
    const now = await readLockRecord(disk, path);
    const isOurs = now.ok && now.value.holder?.token === record.holder?.token;
    if (!renamed.ok && !isOurs) await disk.remove(unfinished);
    await sweep(record.number);
    if (isOurs) return ok(createConsolidation({ disk, clock, ids, folder, record }));
    return renamed.ok && now.ok ? ok(null) : renamed.ok ? (now as Result<never>) : renamed;
  }

  /**
   * Claims up to this one are over. Unfinished files are those of processes that died, but for claimers who live: a
   * former holder that finds its own gone was fenced.
   */
  async function sweep(number: number): Promise<void> {
    const names = await listLockNames(disk, folder);
    if (!names.ok) return;
    for (const claimed of names.value.claims) {
      if (claimed <= number) await disk.remove(claimPath(folder, claimed));
    }
    for (const name of names.value.unfinished) {
      const left = await readLockRecord(disk, `${folder}/${name}`);
      const isOver = left.ok && (await judgeLock(path, left.value.holder, options)) === null;
      if (isOver) await disk.remove(`${folder}/${name}`);
    }
  }

  async function acquire(): Promise<Result<Consolidation>> {
    const made = await folders.make(folder, true);
    if (!made.ok) return made;
    for (let round = 0; round < maxRounds; round += 1) {
      const seen = await survey();
      if (!seen.ok) return seen;
      const judged = await judge(seen.value);
      if (!judged.ok) return judged;
      const holder = { ...(await processes.self()), token: ids.next("dreamer"), sinceMs: clock.now() };
      const record = {
        number: seen.value.highest + 1,
        holder,
        previousMs: Math.max(0, seen.value.lock.lastMs),
      };
      const claimed = await claim(seen.value, record);
      if (!claimed.ok || claimed.value !== null) return claimed as Result<Consolidation>;
    }
    return fail("held", "Others keep taking the lock of the memory folder.", { path, retryable: true });
  }

  return {
    async lastConsolidatedMs() {
      const stat = await disk.stat(path);
      if (!stat.ok) return stat.error.code === "not-found" ? ok(null) : stat;
      return ok(Math.round(stat.value.modifiedMs) || null);
    },
    acquire,
    restore: () => restoreLock(() => readLockRecord(disk, path), acquire),
  };
}

interface ConsolidationOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly folder: string;
  /** The lock as this process has put it there. */
  readonly record: LockRecord;
}

/** The lock just taken. */
function createConsolidation(options: ConsolidationOptions): Consolidation {
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
