import { type ContentBlock, isBlock, type ViewItem } from "../../spec/index.ts";
import { deletedResults } from "./deleted-results.ts";

/** Tokens of a block as the model still sees it: neither cache edits nor what they deleted count. */
export function tokensLeft(
  items: readonly ViewItem[],
  tokensOf: (block: ContentBlock) => number,
): (block: ContentBlock) => number {
  const deleted = deletedResults(items);
  if (deleted.size === 0) return tokensOf;
  return (block) => {
    const isGone = isBlock(block, "tool_result")
      ? deleted.has(block.tool_use_id)
      : block.type === "cache_edits";
    return isGone ? 0 : tokensOf(block);
  };
}
