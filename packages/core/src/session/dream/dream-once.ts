import { type ChangeSet, toChangeSet } from "../../layers/6-dream/rules/change-set.ts";
import {
  type DreamEvent,
  type DreamOutcome,
  type DreamTask,
  dreamPrefix,
  nextDreamTask,
  startDreamTask,
  toDreamEvent,
} from "../../layers/6-dream/rules/dream-task.ts";
import { indexPath } from "../../layers/6-dream/rules/memory-links.ts";
import type { DreamNumbers } from "../../layers/6-dream/settings.ts";
import {
  type Clock,
  type Consolidation,
  type DreamAuthor,
  type EventBody,
  type FileTree,
  fail,
  type Ids,
  ok,
  type PalimpsestError,
  type Result,
} from "../../spec/index.ts";
import type { SecretMask } from "../secrets/index.ts";
import type { DreamChanges } from "./dream-changes.ts";
import type { DreamGates, GatePass } from "./dream-gates.ts";
import type { DreamRecord, ReviewReason } from "./dream-record.ts";
import type { Dreamer, DreamWork } from "./dreamer.ts";
import { type GuardedChanges, guardChanges } from "./guard-changes.ts";
import { createMemoryFormats, type TakenFile, takeSnapshot } from "./memory-formats.ts";

export interface DreamParts {
  readonly memory: FileTree;
  readonly changes: DreamChanges;
  readonly gates: DreamGates;
  readonly dreamer: Dreamer;
  readonly numbers: Pick<DreamNumbers, "maxRemovedPercent">;
  readonly mask: SecretMask["mask"];
  /** Brings the index in step where no change set does. */
  readonly refreshIndex: () => Promise<unknown>;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly emit?: (event: EventBody) => void;
}

export interface DreamMode {
  /** A person asks for it: time and sessions do not count. */
  readonly isByHand?: boolean;
  /** Only says what would be changed. */
  readonly isDryRun?: boolean;
  /** Kills it: the time of the last consolidation is as before, and memory as before or as after. */
  readonly signal?: AbortSignal;
}

/** The result of a dream. */
export interface DreamDone {
  readonly changeSet: ChangeSet;
  /** Absent where nothing was to be changed, and where it was only planned. */
  readonly record?: DreamRecord;
  /** Why a person has to look at it first. */
  readonly reasons: readonly ReviewReason[];
  /** The dreamer's message. */
  readonly message?: string;
}

export type DreamReport =
  | { readonly outcome: "skipped"; readonly reason: SkipReason; readonly message?: string }
  | (DreamDone & { readonly outcome: "planned" | "completed"; readonly task: DreamTask })
  | { readonly outcome: "failed" | "killed"; readonly task: DreamTask; readonly error: PalimpsestError };

type SkipReason = Extract<GatePass, { readonly isOpen: false }>["reason"];

/**
 * One dream from the gates to the end of the lock. All of what it wants is applied, or none of it; what a guard refuses
 * waits for a person. A failure of the dream is a report; only what keeps the gates from being looked at is an error.
 */
export async function dreamOnce(parts: DreamParts, how: DreamMode = {}): Promise<Result<DreamReport>> {
  const { isByHand = false, signal = new AbortController().signal } = how;
  const passed = await parts.gates.pass({ isByHand });
  if (!passed.ok) return passed;
  if (!passed.value.isOpen) {
    const { isOpen: _isOpen, ...why } = passed.value;
    return ok({ outcome: "skipped", ...why });
  }
  const { consolidation } = passed.value;
  const watch = createDreamWatch(parts.ids.next(dreamPrefix), parts.dreamer.by, parts.emit);
  const done = await dreamSafely(parts, how, { watch, consolidation, signal });
  return ok(await releaseLock(done, how, { watch, consolidation, signal }));
}

interface Context {
  readonly watch: DreamWatch;
  readonly consolidation: Consolidation;
  readonly signal: AbortSignal;
}

/** Only success changes the time of the last consolidation. */
async function releaseLock(done: Result<DreamDone>, how: DreamMode, context: Context): Promise<DreamReport> {
  const { watch, consolidation, signal } = context;
  const isGood = done.ok && !signal.aborted;
  const settled = isGood && !how.isDryRun ? await consolidation.complete() : await consolidation.abandon();
  if (isGood && (settled.ok || how.isDryRun)) {
    const outcome = how.isDryRun ? "planned" : "completed";
    const message = how.isDryRun ? "Nothing was changed." : messageOf(done.value);
    return { outcome, task: watch.end("completed", message), ...done.value };
  }
  const failed = failureOf(done, settled, signal);
  const outcome = signal.aborted ? "killed" : "failed";
  return { outcome, task: watch.end(outcome, failed.message), error: failed };
}

function messageOf({ record, reasons, changeSet, message }: DreamDone): string | undefined {
  if (record?.state !== "review") return message;
  const more = reasons.length > 1 ? ` (and ${reasons.length - 1} more)` : "";
  return `Waits for you as ${changeSet.id}: ${reasons[0]?.message ?? ""}${more}`;
}

function failureOf(
  done: Result<DreamDone>,
  settled: Result<void>,
  { aborted }: AbortSignal,
): PalimpsestError {
  if (aborted) {
    const isApplied = done.ok && done.value.record?.state === "applied";
    const what = isApplied
      ? `after its changes were made; to take them back: palimpsest dream undo ${done.value.changeSet.id}`
      : "before anything was changed.";
    return fail("aborted", `The dream was stopped ${what}`).error;
  }
  if (!done.ok) return done.error;
  return settled.ok ? fail("io", "The dream failed.").error : settled.error;
}

async function dreamSafely(parts: DreamParts, how: DreamMode, context: Context): Promise<Result<DreamDone>> {
  try {
    return await dream(parts, how, context);
  } catch (cause) {
    return fail("io", `The dream failed: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
    });
  }
}

const stoppedReport = () => fail("aborted", "The dream was stopped.");

async function dream(parts: DreamParts, how: DreamMode, context: Context): Promise<Result<DreamDone>> {
  const { memory, changes, dreamer, clock } = parts;
  const { watch, signal, consolidation } = context;
  const settled = await changes.settleAll();
  if (!settled.ok) return settled;
  const snapshot = await takeSnapshot(memory);
  if (!snapshot.ok) return snapshot;
  if (signal.aborted) return stoppedReport();
  const head = { id: watch.id, at: new Date(clock.now()).toISOString() };
  const formats = createMemoryFormats(snapshot.value);
  const { previousMs } = consolidation;
  const input = { ...head, snapshot: snapshot.value, formats, previousMs, report: watch.happen };
  const work = await dreamer.dream(input, signal);
  if (!work.ok) return work;
  if (signal.aborted) return stoppedReport();
  const changeSet = changesOf(work.value, snapshot.value, { ...head, by: dreamer.by });
  const guarded = await guardChanges(changeSet, snapshot.value, work.value, { ...parts, formats });
  if (!guarded.ok) return guarded;
  if (signal.aborted) return stoppedReport();
  const { message } = work.value;
  const said = message === undefined ? {} : { message };
  const { changeSet: kept, reasons } = guarded.value;
  if (how.isDryRun) return ok({ changeSet: kept, reasons, ...said });
  const done = await applyChanges(guarded.value, snapshot.value, parts, watch);
  return done.ok ? ok({ ...done.value, ...said }) : done;
}

/** The index is made from the memories once these are in: it is no change of its own. */
function changesOf(
  { after, reasonOf, flags = [] }: DreamWork,
  before: readonly TakenFile[],
  head: Pick<ChangeSet, "id" | "at" | "by">,
): ChangeSet {
  const whole = toChangeSet({ ...head, before, after, reasonOf, flags });
  return { ...whole, changes: whole.changes.filter(({ path }) => path !== indexPath) };
}

async function applyChanges(
  { changeSet, guards, doubts }: GuardedChanges,
  before: readonly TakenFile[],
  { changes, refreshIndex }: DreamParts,
  watch: DreamWatch,
): Promise<Result<DreamDone>> {
  if (changeSet.changes.length === 0) {
    await refreshIndex();
    return ok({ changeSet, reasons: [] });
  }
  const record = await changes.apply(changeSet, before, guards, doubts);
  if (!record.ok) return record;
  if (record.value.state === "applied")
    for (const { path } of changeSet.changes) watch.happen({ kind: "write", path });
  return ok({ changeSet, record: record.value, reasons: record.value.reasons });
}

/** A dream as a task that people see. */
interface DreamWatch {
  readonly id: string;
  happen(happening: DreamEvent): void;
  end(outcome: DreamOutcome, message?: string): DreamTask;
}

/** Announces the dream and whatever changes about it. */
function createDreamWatch(
  id: string,
  by: DreamAuthor,
  emit: (event: EventBody) => void = () => undefined,
): DreamWatch {
  let task = startDreamTask(id, by);
  emit(toDreamEvent(task));
  function happen(happening: DreamEvent): void {
    const next = nextDreamTask(task, happening);
    if (next === task) return;
    task = next;
    emit(toDreamEvent(task, happening));
  }
  return {
    id,
    happen,
    end(outcome, message) {
      happen({ kind: "end", outcome, ...(message === undefined ? {} : { message }) });
      return task;
    },
  };
}
