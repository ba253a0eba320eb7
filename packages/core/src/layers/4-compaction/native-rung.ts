import {
  type EntryDraft,
  fail,
  isBlock,
  type LayerIo,
  ok,
  type RepairDecision,
  type Result,
  type View,
  type ViewItem,
} from "../../spec/index.ts";
import { isNativeBlock } from "../../view/request/native-block.ts";
import { createMeasure, type Measure, measureItems } from "../../view/tokens/measure.ts";
import type { GivenPorts } from "./apply.ts";
import { readBackground, runPostCompact } from "./compaction-hooks.ts";
import type { NativeCommand } from "./decide.ts";
import { finishBoundary } from "./finish-boundary.ts";
import { isProgress } from "./rules/budget.ts";
import { compactionLayerId } from "./rules/build-boundary.ts";
import { planOf } from "./rules/compaction-plan.ts";
import { cleanCuts, type KeptTail, keptFrom, unansweredPrompt } from "./rules/kept-tail.ts";
import { readSummary } from "./rules/read-summary.ts";
import { summarySections } from "./rules/summary-prompt.ts";
import type { CompactionRun, RungFailure, RungResult } from "./run.ts";
import { compactionNumbersOf } from "./settings.ts";

/** Asks the API for a compaction of itself: finished turns are replaced by its block, the turn that goes on stays. */
export async function writeNatively(run: CompactionRun): Promise<RungResult | RungFailure> {
  const { view, io, facts, plan, numbers, measure, signal } = run;
  if (!io.compactNatively) return refuse("the API cannot be asked");
  const scope = nativeScope(view.items, measure);
  if (!scope) return refuse("no turn is finished, and the API compacts only finished ones");
  const { upToSeq, covered, tail } = scope;
  const keptTokens = tail?.tokens ?? 0;
  const { headTokens = 0, thresholds } = facts;
  const least = headTokens + keptTokens;
  const shrink = plan.trigger === "manual" ? 0 : numbers.minShrinkPercent;
  const shrinkage = { tokensBefore: view.count.tokens, tokensAfter: least, headTokens };
  if (!isProgress(shrinkage, thresholds.auto, shrink))
    return refuse("the current turn is too large by itself", least);
  const prefixDigest = io.prefixDigest?.(covered);
  const asked = await io.compactNatively(nativePrompt(run.instructions), signal, upToSeq);
  if (!asked.ok) {
    const { error } = asked;
    const read = readSummary({ text: "", error });
    return read.ok ? refuse(error.message) : { ...read, code: error.code };
  }
  const { block, usage } = asked.value;
  if (!isNativeBlock(block))
    return { ok: false, reason: "no_summary", message: "The API's compaction holds no summary." };
  return {
    ok: true,
    strategy: "native",
    summary: block.content,
    native: { block, ...(prefixDigest !== undefined && { prefixDigest }) },
    basis: view.head,
    ...(tail && { kept: tail.segment }),
    keptTokens,
    usage,
  };
}

function refuse(message: string, tokensAfter?: number): RungFailure {
  return { ok: false, reason: "refused", message, ...(tokensAfter !== undefined && { tokensAfter }) };
}

/**
 * The instructions for the API. Its own prompt is replaced by whatever it is given, so this asks for the whole summary;
 * without wishes it is asked in its own words.
 */
function nativePrompt(instructions: string | undefined): string | undefined {
  const wishes = (instructions ?? "").trim();
  if (wishes === "") return undefined;
  return [
    "Write a summary of the conversation that will stand in its place. Whoever goes on with the work will have nothing else: paths, names, numbers and quotes must be as they were, and every request must be said to be done, open or cancelled.",
    `Give it these sections: ${summarySections.join("; ")}.`,
    `Heed these instructions besides:\n${wishes}`,
  ].join("\n\n");
}

interface NativeScope {
  /** The last number that is covered. */
  readonly upToSeq: number;
  /** How many items at the beginning are covered. */
  readonly covered: number;
  /** The turn that goes on, word for word; absent where everything is covered. */
  readonly tail?: KeptTail;
}

/**
 * The part that the API can compact: finished turns. The turn that goes on stays behind them, its thinking too, since
 * the block vouches for what it is bound to. `null` where no turn is finished.
 */
export function nativeScope(items: readonly ViewItem[], measure: Measure): NativeScope | null {
  const cut = isTurnEnd(items, items.length)
    ? items.length
    : cleanCuts(items).findLast((at) => isTurnEnd(items, at) && isPrompt(items[at]));
  if (cut === undefined || cut === 0) return null;
  const upToSeq = items.slice(0, cut).reduce((highest, { seq }) => Math.max(highest, seq), 0);
  const tail = cut === items.length ? undefined : keptFrom(items, cut, measure);
  return { upToSeq, covered: cut, ...(tail && { tail }) };
}

/** Whether what stands before a position ends with the assistant's last word. */
function isTurnEnd(items: readonly ViewItem[], at: number): boolean {
  const last = items[at - 1];
  return last?.role === "assistant" && !isBlock(last.block, "tool_use");
}

function isPrompt(item: ViewItem | undefined): boolean {
  return item?.role === "user" && !isBlock(item.block, "tool_result");
}

type CutCommand = Extract<NativeCommand, { readonly does: "cut" }>;

/**
 * Records what the API has compacted. The block leaves its response for the boundary, which carries it unchanged: when
 * the boundary is undone, the former view comes back without it, and the API reads all of that again. The answer stays
 * right behind the block, since its thinking is bound to that; what the block lacks is brought back behind the answer.
 */
export async function applyNative(
  command: NativeCommand,
  io: LayerIo,
  signal: AbortSignal,
  { usual, given }: GivenPorts,
): Promise<Result<readonly EntryDraft[]>> {
  if (command.does === "ask") return ok([]);
  const { view, position } = command;
  const item = view.items[position] as ViewItem;
  if (!isNativeBlock(item.block)) return fail("invalid-input", "There is no block of the API to carry.");
  const startedMs = io.clock.monotonic();
  const ports = { ...usual, ...(await io.surroundings?.()), ...given };
  const run = runOf(command, io, signal, ports);
  const { tokens } = run.view.count;
  io.emit({ type: "compaction-start", trigger: "auto", tokens, cause: run.plan.cause });
  const finished = await finishBoundary(run, writtenOf(command, item, run));
  const { decision, summary, restored, skipped } = finished;
  for (const one of restored) io.emit({ type: "file-restored", ...one });
  for (const one of skipped) io.emit({ type: "file-skipped", ...one });
  await runPostCompact(decision.trigger, summary, io, signal, ports);
  const { trigger, strategy, tokensBefore, tokensAfter } = decision;
  const durationMs = io.clock.monotonic() - startedMs;
  io.emit({ type: "compaction-end", trigger, strategy, tokensBefore, tokensAfter, durationMs });
  return ok([
    { kind: "decision", decision: withoutBlock(command, item, io) },
    { kind: "decision", decision },
  ]);
}

/** A compaction like any other, of the view as it is without the block. */
function runOf(
  { view: given, position, headTokens, facts, records, reason }: CutCommand,
  io: LayerIo,
  signal: AbortSignal,
  ports: CompactionRun["ports"],
): CompactionRun {
  const tokens = headTokens + sumOf(given.items, io);
  const items = [...given.items.slice(0, position), ...given.items.slice(position + 1)];
  const view: View = { ...given, items, count: { tokens, source: "plain" } };
  const measure = createMeasure(io.tokensOf);
  let background: ReturnType<CompactionRun["background"]> | undefined;
  return {
    plan: planOf(view, facts, { records }, { trigger: "auto", reason, keepsTail: false }),
    view,
    facts,
    records,
    io,
    ports,
    signal,
    numbers: compactionNumbersOf(facts),
    measure,
    countOf: (kept) => measureItems(kept, measure),
    background: () => {
      background ??= readBackground(io, signal, ports);
      return background;
    },
  };
}

function writtenOf({ view, position }: CutCommand, { block }: ViewItem, run: CompactionRun): RungResult {
  const { items } = run.view;
  const prefixDigest = run.io.prefixDigest?.(position);
  const isHeard = view.sentItems >= position;
  const unsent = isHeard ? null : unansweredTail(items.slice(0, position), run.measure);
  const kept = keptFrom(items, unsent?.position ?? position, run.measure);
  return {
    ok: true,
    strategy: "native",
    summary: isNativeBlock(block) ? block.content : "",
    native: { block, ...(prefixDigest !== undefined && { prefixDigest }) },
    basis: items.reduce((highest, { seq }) => Math.max(highest, seq), 0),
    ...(kept && { kept: kept.segment }),
    keptTokens: kept?.tokens ?? 0,
  };
}

/** Messages the user sent while the answer was on its way are not in the block: they stay, behind it. */
function unansweredTail(before: readonly ViewItem[], measure: Measure): KeptTail | null {
  const maxTokens = Number.POSITIVE_INFINITY;
  return unansweredPrompt({ items: before, boundarySeq: 0, maxTokens, measure, forbidsThinking: false });
}

/** The response was measured with the block in the place of what came before: without it that counts again. */
function withoutBlock(
  { view, position }: CutCommand,
  { block, entry, index }: ViewItem,
  io: LayerIo,
): RepairDecision {
  const backTokens = Math.max(0, sumOf(view.items.slice(0, position), io) - io.tokensOf(block));
  const location = { entry, block: index };
  return {
    type: "repair",
    layer: compactionLayerId,
    reason: "the boundary carries the block",
    frees: -backTokens,
    basis: view.head,
    steps: [{ repair: "drop-block", place: location, why: "the boundary carries it" }],
  };
}

function sumOf(items: readonly ViewItem[], io: Pick<LayerIo, "tokensOf">): number {
  return items.reduce((sum, { block }) => sum + io.tokensOf(block), 0);
}
