import { buildBoundary, compactionLayerId } from "../../context/compaction/build-boundary.ts";
import { unheardPrompt } from "../../context/compaction/kept-tail.ts";
import { createMeasure, type Measure } from "../../context/compaction/measure.ts";
import { isNativeBlock } from "../../context/compaction/native-block.ts";
import {
  type CompactDecision,
  type EntryDraft,
  fail,
  type KeptSegment,
  type LayerIo,
  ok,
  type RepairDecision,
  type Result,
  type ViewItem,
} from "../../spec/index.ts";
import type { NativeCommand } from "./decide-native.ts";

/**
 * Records what the API has compacted. The block leaves its response for the boundary, which carries it unchanged: when
 * the boundary is undone, the former view comes back without it, and the API reads all of that again.
 */
export async function applyNative(
  command: NativeCommand,
  io: LayerIo,
): Promise<Result<readonly EntryDraft[]>> {
  if (command.does === "ask") return ok([]);
  const { view, position } = command;
  const item = view.items[position] as ViewItem;
  if (!isNativeBlock(item.block)) return fail("invalid-input", "There is no block of the API to carry.");
  const decision = boundaryOf(command, item, io);
  const { trigger, strategy, tokensBefore, tokensAfter, cause } = decision;
  if (cause) io.emit({ type: "compaction-start", trigger: "auto", tokens: tokensBefore, cause });
  io.emit({ type: "compaction-end", trigger, strategy, tokensBefore, tokensAfter, durationMs: 0 });
  const sum = (items: readonly ViewItem[]) => items.reduce((all, { block }) => all + io.tokensOf(block), 0);
  /** What the response was measured on has the block in the place of these: without it they count again. */
  const backTokens = Math.max(0, sum(view.items.slice(0, position)) - io.tokensOf(item.block));
  const moved: RepairDecision = {
    type: "repair",
    layer: compactionLayerId,
    reason: "the boundary carries the block",
    frees: -backTokens,
    basis: view.head,
    steps: [
      {
        repair: "drop-block",
        place: { entry: item.entry, block: item.index },
        why: "the boundary carries it",
      },
    ],
  };
  return ok([
    { kind: "decision", decision: moved },
    { kind: "decision", decision },
  ]);
}

function boundaryOf(
  { view, position, headTokens, reason, cause }: Extract<NativeCommand, { readonly does: "cut" }>,
  { block }: ViewItem,
  io: LayerIo,
): CompactDecision {
  const measure = createMeasure(io.tokensOf);
  const behind = view.items.slice(position + 1);
  const before = view.items.slice(0, position);
  const basis = before.reduce((highest, { seq }) => Math.max(highest, seq), 0);
  const tokens = headTokens + view.items.reduce((sum, item) => sum + io.tokensOf(item.block), 0);
  const prefixDigest = io.prefixDigest?.(position);
  const kept = view.sentItems < position ? unsent(before, measure) : undefined;
  return buildBoundary({
    view: { items: [...before, ...behind], count: { tokens, source: "plain" } },
    basis,
    trigger: "auto",
    strategy: "native",
    cause,
    reason,
    summary: isNativeBlock(block) ? block.content : "",
    native: { block, ...(prefixDigest !== undefined && { prefixDigest }) },
    appendix: "",
    ...(kept && { kept }),
    attachments: [],
    discoveredTools: [],
    headTokens,
    measure,
  });
}

/** What the user said while the answer was on its way is not in the block: it stays, behind it. */
function unsent(before: readonly ViewItem[], measure: Measure): KeptSegment | undefined {
  const maxTokens = Number.POSITIVE_INFINITY;
  return unheardPrompt({ items: before, boundarySeq: 0, maxTokens, measure, forbidsThinking: false })
    ?.segment;
}
