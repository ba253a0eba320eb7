import {
  type EntryDraft,
  fail,
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
import type { NativeCommand } from "./decide-native.ts";
import { finishBoundary } from "./finish-boundary.ts";
import { compactionLayerId } from "./rules/build-boundary.ts";
import { planOf } from "./rules/compaction-plan.ts";
import { type KeptTail, keptFrom, unheardPrompt } from "./rules/kept-tail.ts";
import type { CompactionRun, Written } from "./run.ts";
import { compactionNumbersOf } from "./settings.ts";

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

function writtenOf({ view, position }: CutCommand, { block }: ViewItem, run: CompactionRun): Written {
  const { items } = run.view;
  const prefixDigest = run.io.prefixDigest?.(position);
  const isHeard = view.sentItems >= position;
  const unsent = isHeard ? null : unheard(items.slice(0, position), run.measure);
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

/** What the user said while the answer was on its way is not in the block: it stays, behind it. */
function unheard(before: readonly ViewItem[], measure: Measure): KeptTail | null {
  const maxTokens = Number.POSITIVE_INFINITY;
  return unheardPrompt({ items: before, boundarySeq: 0, maxTokens, measure, forbidsThinking: false });
}

/** What the response was measured on has the block in the place of what came before: without it that counts again. */
function withoutBlock(
  { view, position }: CutCommand,
  { block, entry, index }: ViewItem,
  io: LayerIo,
): RepairDecision {
  const backTokens = Math.max(0, sumOf(view.items.slice(0, position), io) - io.tokensOf(block));
  const place = { entry, block: index };
  return {
    type: "repair",
    layer: compactionLayerId,
    reason: "the boundary carries the block",
    frees: -backTokens,
    basis: view.head,
    steps: [{ repair: "drop-block", place, why: "the boundary carries it" }],
  };
}

function sumOf(items: readonly ViewItem[], io: Pick<LayerIo, "tokensOf">): number {
  return items.reduce((sum, { block }) => sum + io.tokensOf(block), 0);
}
