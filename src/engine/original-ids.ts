import { mayBeMapped, toRequestId } from "../context/request/request-ids.ts";
import { isBlock, type Message, type ViewItem } from "../spec/index.ts";

/** A message whose results name their calls as the log does, also where the caller names them as requests do. */
export function withOriginalIds(message: Message, items: readonly ViewItem[]): Message {
  const { type, content } = message;
  if (type !== "user" || typeof content === "string") return message;
  let isChanged = false;
  const named = content.map((block) => {
    if (!isBlock(block, "tool_result") || !mayBeMapped(block.tool_use_id)) return block;
    const id = originalId(block.tool_use_id, items);
    if (id === block.tool_use_id) return block;
    isChanged = true;
    return { ...block, tool_use_id: id };
  });
  return isChanged ? { ...message, content: named } : message;
}

/** Looks through the newest calls: nobody else's result can come now. */
function originalId(id: string, items: readonly ViewItem[]): string {
  let hasCalls = false;
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const { role, block } = items[at] as ViewItem;
    if (hasCalls && role === "user" && !isBlock(block, "tool_result")) break;
    if (!isBlock(block, "tool_use")) continue;
    hasCalls = true;
    if (toRequestId(block.id) === id) return block.id;
  }
  return id;
}
