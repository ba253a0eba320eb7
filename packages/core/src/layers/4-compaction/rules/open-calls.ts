import { isBlock, type ViewItem } from "../../../spec/index.ts";

/** Whether a call in the view has no result yet: a boundary behind it would cut the two apart. */
export function hasOpenCalls(items: readonly ViewItem[]): boolean {
  const open = new Set<string>();
  for (const { block } of items) {
    if (isBlock(block, "tool_use")) open.add(block.id);
    else if (isBlock(block, "tool_result")) open.delete(block.tool_use_id);
  }
  return open.size > 0;
}
