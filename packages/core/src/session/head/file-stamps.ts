import { type FileStamp, isBlock, type Message, type ViewItem } from "../../spec/index.ts";
import { clearedText } from "../../view/clearing/clear-label.ts";

/**
 * The newest stamp of a file among the results that stand in the view as they were given, and the files that a
 * compaction brought back: what was cleared or compacted away is no longer before the model's eyes.
 */
export function fileStampIn(
  items: readonly ViewItem[],
  messageOf: (entry: string) => Message | undefined,
  path: string,
): FileStamp | undefined {
  for (let position = items.length - 1; position >= 0; position -= 1) {
    const item = items[position] as ViewItem;
    const toolUseId = shownBy(item);
    if (toolUseId === undefined) continue;
    const found = messageOf(item.entry)?.files?.findLast(
      (stamp) => stamp.path === path && stamp.toolUseId === toolUseId,
    );
    if (!found) continue;
    const { toolUseId: _id, ...stamp } = found;
    return stamp;
  }
  return undefined;
}

/** The call whose result shows files; empty for what a compaction brought back, and nothing for all else. */
function shownBy({ block, entry, decision }: ViewItem): string | undefined {
  if (decision !== undefined && decision === entry) return "";
  if (!isBlock(block, "tool_result") || isCleared(block.content)) return undefined;
  return block.tool_use_id;
}

function isCleared(content: unknown): boolean {
  return typeof content === "string" && content.startsWith(clearedText);
}
