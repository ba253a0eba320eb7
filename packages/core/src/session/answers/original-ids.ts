import { isBlock, type Message, type ViewItem } from "../../spec/index.ts";
import { toRequestId } from "../../view/request/request-ids.ts";
import { type CallsInView, givenIdOf } from "./call-ids.ts";

/**
 * A message whose results and files name their calls as the log does, also where the caller names them as requests do, or
 * as the server did whose ids came again.
 */
export function withOriginalIds(message: Message, view: Pick<CallsInView, "items" | "messageOf">): Message {
  const { type, content, files } = message;
  if (type !== "user" || typeof content === "string") return message;
  const names = new Map<string, string>();
  for (const block of content) {
    if (!isBlock(block, "tool_result") || names.has(block.tool_use_id)) continue;
    const id = originalId(block.tool_use_id, view);
    if (id !== block.tool_use_id) names.set(block.tool_use_id, id);
  }
  if (names.size === 0) return message;
  const named = content.map((block) =>
    isBlock(block, "tool_result")
      ? { ...block, tool_use_id: names.get(block.tool_use_id) ?? block.tool_use_id }
      : block,
  );
  const stamps = files?.map((file) => ({ ...file, toolUseId: names.get(file.toolUseId) ?? file.toolUseId }));
  return { ...message, content: named, ...(stamps && { files: stamps }) };
}

/** Looks through the newest calls: nobody else's result can come now. */
function originalId(id: string, { items, messageOf }: Pick<CallsInView, "items" | "messageOf">): string {
  let hasCalls = false;
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const { role, block, entry } = items[at] as ViewItem;
    if (hasCalls && role === "user" && !isBlock(block, "tool_result")) break;
    if (!isBlock(block, "tool_use")) continue;
    hasCalls = true;
    const given = givenIdOf(block.id, messageOf(entry));
    if ([block.id, toRequestId(block.id), given, toRequestId(given)].includes(id)) return block.id;
  }
  return id;
}
