import {
  type CompactionFailure,
  type CompactionRung,
  type EntryDraft,
  fail,
  type LayerIo,
  type ModelFailure,
  ok,
  type Result,
} from "../../spec/index.ts";
import { contentText } from "../../view/ledgers/ledger-parts.ts";
import { shortId } from "../../view/quote-foreign.ts";
import { createMeasure, measureItems } from "../../view/tokens/measure.ts";
import { readBackground, runPostCompact, runPreCompact } from "./compaction-hooks.ts";
import { type FinishedBoundary, finishBoundary, prepareSummary, roomOf } from "./finish-boundary.ts";
import type { CompactCommand, CompactionCommand, CompactionPorts } from "./ports.ts";
import { isProgress, landingLimit } from "./rules/budget.ts";
import {
  abortCompaction,
  attemptDraft,
  type CompactionRun,
  chooseUnseen,
  createSpending,
  type RungFailure,
  type RungResult,
  recordExhausted,
  recordVeto,
  withSpending,
} from "./run.ts";
import { compactionNumbersOf } from "./settings.ts";
import { writeRung } from "./write-rung.ts";

/** Ports given to the layer; they win over those of the program around the session. */
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
    if (signal.aborted) return abortCompaction({ plan, io });
    const message = cause instanceof Error ? cause.message : String(cause);
    return recordExhausted({ plan, view, io }, [], { ok: false, reason: "crashed", message });
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
  if (before.veto !== undefined && command.plan.trigger !== "manual")
    return recordVeto(command, io, before.veto);
  const measure = createMeasure(io.tokensOf);
  const run: CompactionRun = {
    ...command,
    io,
    ports,
    signal,
    numbers: compactionNumbersOf(command.facts),
    measure,
    countOf: command.view.countOf ?? ((items) => measureItems(items, measure)),
    ...(before.instructions !== undefined && { instructions: before.instructions }),
    background: onlyOnce(() => readBackground(io, signal, ports)),
  };
  const climbed = await tryRungs(run, startedMs);
  return climbed.ok ? ok([...climbed.value, ...spending.drafts()]) : climbed;
}

/** Nobody was asked: that is no failure of a model. */
const unasked: ReadonlySet<RungFailure["code"]> = new Set<RungFailure["code"]>(["no-model", "too-large"]);

/** Rung by rung. */
async function tryRungs(run: CompactionRun, startedMs: number): Promise<Result<readonly EntryDraft[]>> {
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
  let last: RungFailure = { ok: false, reason: "no_progress", message: "There was no way to compact." };
  const rungs = [...plan.rungs];
  let modelFailure: ModelFailure | undefined;
  for (let rung = rungs.shift(); rung !== undefined; rung = rungs.shift()) {
    const written = await writeSafely(rung, run);
    if (signal.aborted || (!written.ok && written.reason === "aborted")) return abortCompaction(run);
    const [finished, taken] = await finishWritten(run, rung, written);
    if (finished.ok) {
      const { decision } = finished.boundary;
      const boundary = {
        ...finished.boundary,
        decision: { ...decision, ...(modelFailure && { modelFailure }) },
      };
      const drafts = await boundaryEntries(run, boundary, taken as RungResult, startedMs);
      return ok([...attempts, ...drafts]);
    }
    last = finished;
    const { reason, message, tokensAfter, code } = finished;
    const after = tokensAfter === undefined ? {} : { tokensAfter };
    io.emit({ type: "rung-skip", rung, reason, message, ...after, threshold: facts.thresholds.auto });
    if (reason !== "refused" && !unasked.has(code)) note(rung, reason);
    if (isScribeCalledFor(rung, run)) {
      rungs.push("scribe");
      modelFailure = { reason, message };
    }
  }
  return recordExhausted(run, attempts, last);
}

/** A rung that throws has written nothing; the scribe is the last, and its error ends the compaction. */
async function writeSafely(rung: CompactionRung, run: CompactionRun): Promise<RungResult | RungFailure> {
  try {
    return await writeRung(rung, run);
  } catch (cause) {
    if (rung === "scribe") throw cause;
    const message = cause instanceof Error ? cause.message : String(cause);
    return { ok: false, reason: "crashed", message };
  }
}

/** By hand the scribe writes what a model did not, and the model's failure is told. */
function isScribeCalledFor(rung: CompactionRung, { plan }: CompactionRun): boolean {
  return plan.trigger === "manual" && rung === "full";
}

type Finished = { readonly ok: true; readonly boundary: FinishedBoundary } | RungFailure;

/** So often the scribe writes again, each time in at least so much less of its room. */
const scribeTries = 4;
const sparedShare = 1 / 16;

/**
 * The scribe is the last that can help: where it is over the limit by a little, since the whole counts more than its
 * parts, it writes again, shorter. By hand it had the room of a full window, and an answer that an earlier boundary had
 * cut may have come back whole and made a short conversation longer: then half of what the view has, a quarter, and so on,
 * as long as every message of the user's is named.
 */
async function finishWritten(
  run: CompactionRun,
  rung: CompactionRung,
  written: RungResult | RungFailure,
): Promise<readonly [Finished, RungResult | RungFailure]> {
  if (!written.ok) return [written, written];
  const finished = await tryBoundary(run, written);
  if (finished.ok || rung !== "scribe") return [finished, written];
  const isManual = run.plan.trigger === "manual";
  const room = roomOf(run, written);
  const least = Math.ceil(room * sparedShare);
  const limit = isManual ? manualLimit(run) : landingOf(run);
  let half = limit - (run.facts.headTokens ?? 0);
  let over = (finished.tokensAfter ?? 0) - limit + 1;
  let sparedTokens = 0;
  for (let tries = 0; tries < scribeTries && over > 0; tries += 1) {
    half = Math.floor(half / 2);
    sparedTokens = isManual ? Math.max(0, room - half) : sparedTokens + Math.max(over, least);
    const less = { ...run, sparedTokens };
    const again = await writeSafely(rung, less);
    if (!again.ok || roomOf(less, again) === 0) break;
    const shorter = await tryBoundary(less, again);
    if (shorter.ok && isManual && !hasAllMessages(run, shorter.boundary)) break;
    if (shorter.ok) return [shorter, again];
    over = (shorter.tokensAfter ?? 0) - limit + 1;
  }
  return [finished, written];
}

function hasAllMessages({ view }: CompactionRun, { decision }: FinishedBoundary): boolean {
  const text = contentText(decision.summary?.content);
  return view.ledgers.userMessages.every(
    (message) => text.includes(message.text.toWellFormed()) || text.includes(shortId(message.entry)),
  );
}

/** The limit for the next request, beside what no model has been asked with. */
function landingOf(run: CompactionRun): number {
  const { headTokens = 0, thresholds } = run.facts;
  const { totalTokens } = run.plan.budget;
  const keptTokens = chooseUnseen(run)?.tokens ?? 0;
  return landingLimit({ totalTokens, keptTokens, headTokens, thresholds });
}

async function tryBoundary(run: CompactionRun, written: RungResult): Promise<Finished> {
  const boundary = await finishBoundary(run, written);
  const { tokensBefore, tokensAfter } = boundary.decision;
  if (boundary.summary !== "" && isShorter(run, boundary)) return { ok: true, boundary };
  const message =
    run.plan.trigger === "manual"
      ? "The conversation is too short: a summary would not be shorter."
      : `The result would not be small enough (${tokensBefore.toLocaleString("en-US")} → ${tokensAfter.toLocaleString("en-US")} tokens).`;
  return { ok: false, reason: "no_progress", message, tokensAfter };
}

/**
 * By hand there has to be less than before, measured in the same way, or as the provider has counted it where that is
 * more: images and base64 may have many times our estimate.
 */
function manualLimit(run: CompactionRun): number {
  const { view, measure } = run;
  const { headTokens = 0 } = run.facts;
  return Math.min(
    landingOf(run),
    Math.max(measureItems(view.items, measure) + headTokens, view.count.tokens),
  );
}

/**
 * By hand what counts is that there is less than before. What no model has been asked with stays
 * whatever its size: where it leaves no room below the threshold, the view has to fit the window, and where no request
 * could be made before, that is all that counts.
 */
function isShorter(run: CompactionRun, boundary: FinishedBoundary): boolean {
  const { plan, facts, numbers } = run;
  const { tokensBefore, tokensAfter } = boundary.decision;
  const { headTokens = 0, thresholds } = facts;
  const unseenTokens = chooseUnseen(run)?.tokens ?? 0;
  const limit = landingOf(run);
  if (plan.trigger === "manual") return tokensAfter < manualLimit(run);
  if (limit !== thresholds.auto && tokensBefore >= limit) return tokensAfter < limit;
  const fixed = limit === thresholds.auto ? {} : { unseenTokens };
  const shrinkage = { tokensBefore, tokensAfter, headTokens, ...fixed };
  return isProgress(shrinkage, limit, numbers.minShrinkPercent);
}

async function boundaryEntries(
  run: CompactionRun,
  { decision, summary, restored, skipped }: FinishedBoundary,
  { usage, cacheShare }: RungResult,
  startedMs: number,
): Promise<readonly EntryDraft[]> {
  const { io, ports, signal, records } = run;
  const { trigger, strategy, part, tokensBefore, tokensAfter, modelFailure } = decision;
  for (const one of restored) io.emit({ type: "file-restored", ...one });
  for (const one of skipped) io.emit({ type: "file-skipped", ...one });
  await runPostCompact(trigger, summary, io, signal, ports);
  const durationMs = io.clock.monotonic() - startedMs;
  io.emit({
    type: "compaction-end",
    trigger,
    strategy,
    ...(part && { part }),
    tokensBefore,
    tokensAfter,
    durationMs,
    ...(usage && { usage }),
    ...(cacheShare !== undefined && { cacheShare }),
    ...(modelFailure && { modelFailure }),
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
