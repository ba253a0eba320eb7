import {
  type ClearDecision,
  type ContentBlock,
  isBlock,
  type OffloadDecision,
  type ToolPart,
  type ViewItem,
} from "../../spec/index.ts";
import { offloadedBlock } from "./repaired-items.ts";

/** Names the part of a tool call that a block is; `null` for blocks that are none. */
export function partKey(block: ContentBlock): string | null {
  if (isBlock(block, "tool_result")) return `result ${block.tool_use_id}`;
  return isBlock(block, "tool_use") ? `input ${block.id}` : null;
}

/**
 * Whether an offload or a clear may replace an item. An offload is the first choice for a result: what another decision
 * put there, such as the result of a call that was interrupted, stays when the real one comes after all.
 */
export function mayReplace(decision: OffloadDecision | ClearDecision, item: ViewItem): boolean {
  return decision.type === "clear" || item.decision === undefined;
}

/** The text that an offload puts in the place of a prompt's block; `undefined` where it leaves it alone. */
export function promptPreview(decision: OffloadDecision | ClearDecision, item: ViewItem): string | undefined {
  if (decision.type !== "offload" || !decision.blocks || item.decision !== undefined) return undefined;
  const { entry, index } = item;
  return decision.blocks.find((one) => one.entry === entry && one.block === index)?.preview;
}

/**
 * The items without those that a preview before them stands for; the same array where there are none. To be called with
 * the previews in their places: where one could not be put, the blocks that it stands for stay.
 */
export function withoutStoredBlocks(
  items: readonly ViewItem[],
  decision: OffloadDecision | ClearDecision,
  id: string,
): readonly ViewItem[] {
  const blocks = decision.type === "offload" ? (decision.blocks ?? []) : [];
  const runs = blocks.filter(
    ({ entry, block, lastBlock = block }) =>
      lastBlock > block &&
      items.some((item) => item.entry === entry && item.index === block && item.decision === id),
  );
  if (runs.length === 0) return items;
  const isStored = (item: ViewItem) =>
    item.decision === undefined &&
    runs.some(
      ({ entry, block, lastBlock = block }) =>
        item.entry === entry && item.index > block && item.index <= lastBlock,
    );
  return items.filter((item) => !isStored(item));
}

/** A part of a call that an offload or a clear targets, and what it puts in its place. */
interface Target extends ToolPart {
  readonly replace: (block: ContentBlock) => ContentBlock;
  readonly offloaded?: OffloadDecision["results"][number];
}

/** One after the other: a decision may target more parts than anybody wants to hold. */
export function* targetsOf(decision: OffloadDecision | ClearDecision): Generator<Target> {
  if (decision.type === "clear") {
    for (const { toolUseId, part, label } of decision.parts)
      yield { toolUseId, part, replace: (block) => clearPart(block, part, label) };
    return;
  }
  for (const offloaded of decision.results) {
    const { toolUseId, preview, mediaLabel } = offloaded;
    if (preview === null && mediaLabel === undefined) continue;
    const replace = (block: ContentBlock) =>
      isBlock(block, "tool_result") ? offloadedBlock(block, offloaded) : block;
    yield { toolUseId, part: "result", replace, offloaded };
  }
}

function clearPart(block: ContentBlock, part: ToolPart["part"], label: string): ContentBlock {
  return part === "result" ? { ...block, content: label } : { ...block, input: { cleared: label } };
}

/** The replacement of a block in an offload or a clear, by the part it targets. */
export function blockReplacements(
  decision: OffloadDecision | ClearDecision,
): ReadonlyMap<string, (block: ContentBlock) => ContentBlock> {
  return new Map(
    Array.from(targetsOf(decision), ({ part, toolUseId, replace }) => [`${part} ${toolUseId}`, replace]),
  );
}
