import { isProgress } from "../../context/compaction/budget.ts";
import { createMeasure, measureItems } from "../../context/compaction/measure.ts";
import { compactionNumbersOf } from "../../context/compaction/numbers.ts";
import {
  type CompactionFailure,
  type CompactionRung,
  type EntryDraft,
  fail,
  type LayerIo,
  ok,
  type Result,
} from "../../spec/index.ts";
import type { CompactCommand, CompactionCommand } from "./command.ts";
import { readBackground, runPostCompact, runPreCompact } from "./compaction-hooks.ts";
import { type FinishedBoundary, finishBoundary } from "./finish-boundary.ts";
import { aborted, attemptDraft, exhausted, vetoed } from "./no-compaction.ts";
import type { CompactionPorts } from "./ports.ts";
import { prepareSummary } from "./prepare-summary.ts";
import type { CompactionRun, NotWritten, Written } from "./run.ts";
import { createSpending, withSpending } from "./spending.ts";
import { writeRung } from "./write-rung.ts";

/** What the layer was given is stronger than what the program around the session gives. */
export interface GivenPorts {
  readonly usual: CompactionPorts;
  readonly given: Partial<CompactionPorts>;
}

/** Compacts, rung by rung, until one keeps what it promises. Nothing has changed before its decision is appended. */
export async function applyCompaction(
  command: CompactionCommand,
  io: LayerIo,
  signal: AbortSignal,
  ports: GivenPorts,
): Promise<Result<readonly EntryDraft[]>> {
  if (command.act === "prepare") return prepareSummary(command, io, signal);
  return compact(command, io, signal, ports);
}

async function compact(
  command: CompactCommand,
  io: LayerIo,
  signal: AbortSignal,
  ports: GivenPorts,
): Promise<Result<readonly EntryDraft[]>> {
  const { plan, view } = command;
  const { trigger, cause } = plan;
  if (view.items.length === 0)
    return fail("invalid-input", "There is nothing to compact: the conversation is empty.", {
      fix: "Add a message first.",
    });
  const startedMs = io.clock.monotonic();
  const accounting = io.accounting?.();
  const filled = accounting ? { accounting } : {};
  io.emit({ type: "compaction-start", trigger, tokens: view.count.tokens, cause, ...filled });
  try {
    return await begin(command, io, signal, ports, startedMs);
  } catch (cause) {
    if (signal.aborted) return aborted({ plan, io });
    const message = cause instanceof Error ? cause.message : String(cause);
    return exhausted({ plan, view, io }, [], { ok: false, reason: "crashed", message });
  }
}

async function begin(
  command: CompactCommand,
  io: LayerIo,
  signal: AbortSignal,
  { usual, given }: GivenPorts,
  startedMs: number,
): Promise<Result<readonly EntryDraft[]>> {
  const spending = createSpending();
  const ports = withSpending({ ...usual, ...(await io.surroundings?.()), ...given }, spending);
  const before = await runPreCompact(command, io, signal, ports);
  if (before.veto !== undefined && command.plan.trigger !== "manual") return vetoed(command, io, before.veto);
  const run: CompactionRun = {
    ...command,
    io,
    ports,
    signal,
    numbers: compactionNumbersOf(command.facts),
    measure: createMeasure(io.tokensOf),
    ...(before.instructions !== undefined && { instructions: before.instructions }),
    background: onlyOnce(() => readBackground(io, signal, ports)),
  };
  const climbed = await climb(run, startedMs);
  return climbed.ok ? ok([...climbed.value, ...spending.drafts()]) : climbed;
}

/** Nobody was asked: that is no failure of a model. */
const unasked: ReadonlySet<NotWritten["code"]> = new Set<NotWritten["code"]>(["no-model", "too-large"]);

/** Rung by rung. */
async function climb(run: CompactionRun, startedMs: number): Promise<Result<readonly EntryDraft[]>> {
  const { plan, io, signal, records, facts } = run;
  const attempts: EntryDraft[] = [];
  let failures = records.modelFailures;
  const note = (rung: CompactionRung, reason: CompactionFailure) => {
    if (plan.trigger === "manual" || rung !== "full") return;
    attempts.push(attemptDraft(run, { outcome: "failed", rung, reason }));
    failures = (reason === "no_effect" ? records.modelFailuresBefore : failures) + 1;
    if (failures === run.numbers.maxFailures) io.emit({ type: "breaker-open", failures });
  };
  if (plan.follows !== undefined) note(plan.follows, "no_effect");
  let last: NotWritten = { ok: false, reason: "no_progress", message: "There was no way to compact." };
  const rungs = [...plan.rungs];
  for (let rung = rungs.shift(); rung !== undefined; rung = rungs.shift()) {
    const written = await writeRung(rung, run);
    if (signal.aborted || (!written.ok && written.reason === "aborted")) return aborted(run);
    const finished = written.ok ? await tryBoundary(run, written) : written;
    if (finished.ok) {
      const drafts = await landed(run, finished.boundary, written as Written, startedMs);
      return ok([...attempts, ...drafts]);
    }
    last = finished;
    const { reason, message, tokensAfter, code } = finished;
    const after = tokensAfter === undefined ? {} : { tokensAfter };
    io.emit({ type: "rung-skip", rung, reason, message, ...after, threshold: facts.thresholds.auto });
    if (reason !== "refused" && !unasked.has(code)) note(rung, reason);
    if (isScribeCalledFor(rung, finished, run)) rungs.push("scribe");
  }
  return exhausted(run, attempts, last);
}

/** By hand a model's failure is told; what no model can do, the scribe does. */
function isScribeCalledFor(
  rung: CompactionRung,
  { reason, code }: NotWritten,
  { plan }: CompactionRun,
): boolean {
  const { trigger, request } = plan;
  if (trigger !== "manual" || rung !== "full" || request?.from !== undefined || request?.upTo !== undefined)
    return false;
  return reason === "prompt_too_long" || code === "no-model";
}

type Finished = { readonly ok: true; readonly boundary: FinishedBoundary } | NotWritten;

async function tryBoundary(run: CompactionRun, written: Written): Promise<Finished> {
  const boundary = await finishBoundary(run, written);
  const { tokensBefore, tokensAfter } = boundary.decision;
  if (boundary.summary !== "" && isShorter(run, boundary)) return { ok: true, boundary };
  const message =
    run.plan.trigger === "manual"
      ? "There is too little for a summary to be shorter."
      : `It would leave ${tokensAfter} of ${tokensBefore} tokens.`;
  return { ok: false, reason: "no_progress", message, tokensAfter };
}

/** By hand what counts is that there is less than before, measured in the same way. */
function isShorter(
  { plan, view, facts, measure, numbers }: CompactionRun,
  boundary: FinishedBoundary,
): boolean {
  const { tokensBefore, tokensAfter } = boundary.decision;
  const { headTokens = 0, thresholds } = facts;
  if (plan.trigger !== "manual")
    return isProgress(tokensBefore, tokensAfter, thresholds.auto, numbers.minShrinkPercent);
  return tokensAfter - headTokens < measureItems(view.items, measure) && tokensAfter < thresholds.auto;
}

async function landed(
  run: CompactionRun,
  { decision, summary, restored, skipped }: FinishedBoundary,
  { usage, cacheShare }: Written,
  startedMs: number,
): Promise<readonly EntryDraft[]> {
  const { io, ports, signal, records } = run;
  const { trigger, strategy, tokensBefore, tokensAfter } = decision;
  for (const one of restored) io.emit({ type: "file-restored", ...one });
  for (const one of skipped) io.emit({ type: "file-skipped", ...one });
  await runPostCompact(trigger, summary, io, signal, ports);
  const durationMs = io.clock.monotonic() - startedMs;
  io.emit({
    type: "compaction-end",
    trigger,
    strategy,
    tokensBefore,
    tokensAfter,
    durationMs,
    ...(usage && { usage }),
    ...(cacheShare !== undefined && { cacheShare }),
  });
  const repeated = (records.lasting ?? []).map((note): EntryDraft => ({ kind: "note", note }));
  return [{ kind: "decision", decision }, ...repeated];
}

function onlyOnce<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
