import { clearedText } from "../context/clearing/clear-label.ts";
import { type FileStamp, isBlock, type Message, type ViewItem } from "../spec/index.ts";

/**
 * The newest stamp of a file among the results that stand in the view as they were given: what was cleared or compacted
 * away is no longer before the model's eyes.
 */
export function fileStampIn(
  items: readonly ViewItem[],
  messageOf: (entry: string) => Message | undefined,
  path: string,
): FileStamp | undefined {
  for (let position = items.length - 1; position >= 0; position -= 1) {
    const item = items[position] as ViewItem;
    const { block } = item;
    if (!isBlock(block, "tool_result") || isCleared(block.content)) continue;
    const found = messageOf(item.entry)?.files?.findLast(
      (stamp) => stamp.path === path && stamp.toolUseId === block.tool_use_id,
    );
    if (!found) continue;
    const { toolUseId: _id, ...stamp } = found;
    return stamp;
  }
  return undefined;
}

function isCleared(content: unknown): boolean {
  return typeof content === "string" && content.startsWith(clearedText);
}
