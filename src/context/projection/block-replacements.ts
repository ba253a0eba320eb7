import type { ClearDecision, ContentBlock, OffloadDecision } from "../../spec/index.ts";
import { isBlock } from "../../spec/index.ts";

/** Names the part of a tool call that a block is; `null` for blocks that are none. */
export function partKey(block: ContentBlock): string | null {
  if (isBlock(block, "tool_result")) return `result ${block.tool_use_id}`;
  return isBlock(block, "tool_use") ? `input ${block.id}` : null;
}

/** What an offload or a clear puts in place of a block, by the part it targets. */
export function blockReplacements(
  decision: OffloadDecision | ClearDecision,
): ReadonlyMap<string, (block: ContentBlock) => ContentBlock> {
  if (decision.type === "offload") {
    return new Map(
      decision.results.flatMap(({ toolUseId, preview }) =>
        preview === null
          ? []
          : [[`result ${toolUseId}`, (block) => ({ ...block, content: preview })] as const],
      ),
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
