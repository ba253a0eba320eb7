import type { ClearDecision, ContentBlock, OffloadDecision, ViewItem } from "../../spec/index.ts";
import { isBlock } from "../../spec/index.ts";
import { offloadedBlock } from "./offloaded-block.ts";

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

/** What an offload or a clear puts in place of a block, by the part it targets. */
export function blockReplacements(
  decision: OffloadDecision | ClearDecision,
): ReadonlyMap<string, (block: ContentBlock) => ContentBlock> {
  if (decision.type === "offload") {
    return new Map(
      decision.results
        .filter(({ preview }) => preview !== null)
        .map((result) => [
          `result ${result.toolUseId}`,
          (block: ContentBlock) => (isBlock(block, "tool_result") ? offloadedBlock(block, result) : block),
        ]),
    );
  }
  return new Map(
    decision.parts.map(({ toolUseId, part, label }) => [
      `${part} ${toolUseId}`,
      (block: ContentBlock) =>
        part === "result" ? { ...block, content: label } : { ...block, input: { cleared: label } },
    ]),
  );
}
