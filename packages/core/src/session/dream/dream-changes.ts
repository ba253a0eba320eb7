import { type Change, type ChangeSet, toMakingOrder } from "../../layers/6-dream/rules/change-set.ts";
import { checkGuards, type GuardOptions } from "../../layers/6-dream/rules/check-guards.ts";
import type { Snapshot } from "../../layers/6-dream/rules/snapshot.ts";
import { type ConsolidateLock, type FileTree, fail, ok, type Result } from "../../spec/index.ts";
import {
  type DreamRecord,
  type DreamRecordState,
  isUnderWay,
  listRecordIds,
  type ReviewReason,
  readRecord,
  removeRecord,
  type StoredRecord,
  writeRecord,
} from "./dream-record.ts";
import { fateOf, isAsSeen, sourceOf, undoChanges } from "./undo-changes.ts";

export interface DreamChangesOptions {
  /** The memory folder. */
  readonly memory: FileTree;
  /** Where records of dreams are kept, one file a dream. */
  readonly dreams: FileTree;
  readonly lock: ConsolidateLock;
  /** Brings the index in step with the memories; what fails there is made good by the next write of a memory. */
  readonly refreshIndex?: () => Promise<unknown>;
}

export interface DreamListing {
  readonly id: string;
  /** Absent: the record cannot be read. */
  readonly state?: DreamRecordState;
  readonly at?: string;
  readonly changes?: number;
}

/**
 * Change sets of dreams on their way into memory and out of it. All of a change set is applied, or none of it: the
 * record says what is under way, and whoever opens memory next finishes what was interrupted.
 */
export interface DreamChanges {
  /**
   * For one who holds the lock. `review` where a guard refuses, or another has changed a file since it was read: then
   * memory is as it was and the change set waits.
   */
  apply(
    changeSet: ChangeSet,
    before: Snapshot,
    guards: GuardOptions,
    /** More reasons against it. */
    doubts?: readonly ReviewReason[],
  ): Promise<Result<DreamRecord>>;
  /** For one who holds the lock: finishes what was interrupted. */
  settleAll(): Promise<Result<readonly DreamRecord[]>>;
  list(): Promise<Result<readonly DreamListing[]>>;
  show(id: string): Promise<Result<DreamRecord>>;
  /** A person has read it and wants it: guards no longer count, files changed since are a `conflict`. */
  applyReviewed(id: string): Promise<Result<DreamRecord>>;
  /** Forgets a change set that waits, or a record that cannot be read. */
  discard(id: string): Promise<Result<void>>;
  /** Takes an applied dream back; changes made after it stay, and files where the two meet are left alone: `kept`. */
  revert(id: string): Promise<Result<DreamRecord>>;
  /** Finishes what was interrupted; gives the dreams concerned. None while another one holds the lock. */
  recover(): Promise<Result<readonly DreamRecord[]>>;
}

export function createDreamChanges(options: DreamChangesOptions): DreamChanges {
  const { memory, dreams, lock } = options;
  const advance = (record: StoredRecord, change: Partial<DreamRecord>): Promise<Result<StoredRecord>> =>
    writeRecord(dreams, { ...record, ...change }, record.version);

  /** Goes on with what a record says is under way, until it is at rest. */
  async function settle(record: StoredRecord): Promise<Result<StoredRecord>> {
    const { state, changeSet } = record;
    if (state === "applying") {
      const conflict = await applyChanges(memory, changeSet);
      if (!conflict.ok) return conflict;
      if (conflict.value === null) {
        await options.refreshIndex?.();
        return advance(record, { state: "applied", reasons: [] });
      }
      const withdrawing = await advance(record, { state: "withdrawing", reasons: [conflict.value] });
      return withdrawing.ok ? settle(withdrawing.value) : withdrawing;
    }
    if (state !== "withdrawing" && state !== "reverting") return ok(record);
    const kept = await undoChanges(memory, changeSet, state === "reverting" ? "user" : "dream");
    if (!kept.ok) return kept;
    await options.refreshIndex?.();
    return advance(record, { state: state === "reverting" ? "reverted" : "review", kept: kept.value });
  }

  async function begin(
    record: DreamRecord,
    version: number,
    reasons: readonly ReviewReason[],
  ): Promise<Result<StoredRecord>> {
    const conflicts = reasons.length > 0 ? ok([]) : await findConflicts(memory, record.changeSet);
    if (!conflicts.ok) return conflicts;
    const all = [...reasons, ...conflicts.value];
    const state = all.length > 0 ? "review" : "applying";
    const begun = await writeRecord(dreams, { ...record, state, reasons: all }, version);
    return begun.ok ? settle(begun.value) : begun;
  }

  async function withLock<T>(use: () => Promise<Result<T>>): Promise<Result<T>> {
    const held = await lock.acquire();
    if (!held.ok) return held;
    try {
      return await use();
    } finally {
      await held.value.abandon();
    }
  }

  /** A record in a certain state; one that was interrupted is finished first. */
  async function inState(id: string, wanted: DreamRecordState, toDo: string): Promise<Result<StoredRecord>> {
    const read = await readRecord(dreams, id);
    const record = read.ok ? await settle(read.value) : read;
    if (!record.ok || record.value.state === wanted) return record;
    return fail("invalid-input", `Dream ${id} cannot be ${toDo}: it is ${record.value.state}.`, {
      path: id,
      fix: `Only a dream in the state “${wanted}” can be.`,
      facts: { state: record.value.state },
    });
  }

  async function readRecords(
    which?: "interrupted",
  ): Promise<Result<readonly (readonly [string, Result<StoredRecord>])[]>> {
    const ids = await listRecordIds(dreams, which);
    if (!ids.ok) return ids;
    const records = [];
    for (const id of ids.value) records.push([id, await readRecord(dreams, id)] as const);
    return ok(records);
  }

  async function settleAll(): Promise<Result<readonly DreamRecord[]>> {
    const records = await readRecords("interrupted");
    if (!records.ok) return records;
    const settled: DreamRecord[] = [];
    for (const [, record] of records.value) {
      if (!record.ok || !isUnderWay(record.value)) continue;
      const rest = await settle(record.value);
      if (!rest.ok) return rest;
      settled.push(rest.value);
    }
    return ok(settled);
  }

  return {
    async apply(changeSet, before, guards, doubts = []) {
      const record = { state: "review", changeSet, reasons: [], kept: [] } as const;
      return begin(record, 0, [...doubts, ...checkGuards(changeSet, before, guards)]);
    },

    settleAll,

    async list() {
      const records = await readRecords();
      if (!records.ok) return records;
      return ok(
        records.value.map(([id, record]) => {
          if (!record.ok) return { id };
          const { state, changeSet } = record.value;
          return { id, state, at: changeSet.at, changes: changeSet.changes.length };
        }),
      );
    },

    show: (id) => readRecord(dreams, id),

    applyReviewed: (id) =>
      withLock(async () => {
        const record = await inState(id, "review", "applied");
        if (!record.ok) return record;
        const changeSet = await rebaseChanges(memory, record.value.changeSet);
        if (!changeSet.ok) return changeSet;
        const applied = await begin(
          { ...record.value, changeSet: changeSet.value },
          record.value.version,
          [],
        );
        if (!applied.ok || applied.value.state === "applied") return applied;
        const files = applied.value.reasons.map(({ path }) => path).join(", ");
        return fail("conflict", `Changed after dream ${id} had read them: ${files}.`, {
          path: id,
          fix: "Discard it; the next dream sees them as they are now.",
          facts: { reasons: applied.value.reasons },
        });
      }),

    discard: (id) =>
      withLock(async () => {
        const record = await inState(id, "review", "discarded");
        if (!record.ok && record.error.code !== "corrupt") return record;
        const removed = await removeRecord(dreams, id, record.ok ? record.value.version : undefined);
        return removed.ok ? ok() : removed;
      }),

    revert: (id) =>
      withLock(async () => {
        const record = await inState(id, "applied", "taken back");
        if (!record.ok) return record;
        const reverting = await advance(record.value, { state: "reverting" });
        return reverting.ok ? settle(reverting.value) : reverting;
      }),

    async recover() {
      const seen = await readRecords("interrupted");
      if (!seen.ok) return seen;
      if (!seen.value.some(([, record]) => record.ok && isUnderWay(record.value))) return ok([]);
      const recovered = await withLock(settleAll);
      return !recovered.ok && recovered.error.code === "held" ? ok([]) : recovered;
    },
  };
}

/**
 * The change set for the versions of now, for files that read as they did when it was made: a try that was withdrawn
 * has given them other versions and the same text. Files that read differently keep the version that was seen.
 */
async function rebaseChanges(memory: FileTree, changeSet: ChangeSet): Promise<Result<ChangeSet>> {
  const changes: Change[] = [];
  for (const change of changeSet.changes) {
    const history = await memory.history(change.path);
    if (!history.ok) return history;
    const newest = history.value.at(-1);
    const seen = history.value.find(({ version }) => version === change.expect);
    const digestOf = (version: typeof seen) => (version && !version.removed ? version.sha256 : null);
    const isSame = newest !== undefined && digestOf(newest) === digestOf(seen);
    changes.push(isSame ? { ...change, expect: newest.version } : change);
  }
  return ok({ ...changeSet, changes });
}

/** The files that others have changed since a change set was made. */
async function findConflicts(
  memory: FileTree,
  { id, changes }: Pick<ChangeSet, "id" | "changes">,
): Promise<Result<readonly ReviewReason[]>> {
  const conflicts: ReviewReason[] = [];
  for (const change of changes) {
    const fate = await fateOf(memory, id, change);
    if (!fate.ok) return fate;
    if (!isAsSeen(fate.value, change)) conflicts.push(toConflict(change.path));
  }
  return ok(conflicts);
}

/**
 * Makes every change that is not made yet, each by compare-and-swap; what an interrupted try has made stays. Stops at
 * the first file that somebody else has changed, and names it.
 */
async function applyChanges(
  memory: FileTree,
  changeSet: Pick<ChangeSet, "id" | "changes">,
): Promise<Result<ReviewReason | null>> {
  const { id } = changeSet;
  for (const change of toMakingOrder(changeSet)) {
    const fate = await fateOf(memory, id, change);
    if (!fate.ok) return fate;
    if (fate.value.made !== undefined) continue;
    const made = await makeChange(memory, id, change);
    if (made.ok) continue;
    const isConflict = made.error.code === "conflict" || made.error.code === "not-found";
    return isConflict ? ok(toConflict(change.path)) : made;
  }
  return ok(null);
}

function makeChange(memory: FileTree, id: string, change: Change) {
  const given = { author: "dream", source: sourceOf(id), expect: change.expect };
  return change.kind === "write"
    ? memory.write(change.path, change.text, given)
    : memory.remove(change.path, given);
}

function toConflict(path: string): ReviewReason {
  return { guard: "conflict", path, message: `${path} was changed after the dream had read it.` };
}
