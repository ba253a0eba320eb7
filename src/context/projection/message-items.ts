import type { ContentBlock, Message, Role, ViewItem } from "../../spec/index.ts";
import { isBlock } from "../../spec/index.ts";
import { wellFormedBlock } from "../well-formed.ts";

/** What the items of one message share. */
export interface ItemOrigin {
  readonly entry: string;
  readonly seq: number;
  readonly decision?: string;
  readonly response?: string;
}

/** The role a message is sent with; `null` for what no model ever sees. */
export function roleOf(message: Message): Role | null {
  if (message.isSidechain || message.isAborted) return null;
  if (message.isApiErrorMessage && message.model === "<synthetic>") return null;
  if (message.type === "user" || message.type === "attachment") return "user";
  return message.type === "assistant" ? "assistant" : null;
}

/** The items of a message, one a block. */
export function messageItems(message: Message, origin: ItemOrigin): readonly ViewItem[] {
  const role = roleOf(message);
  if (role === null) return [];
  const { responseId } = message;
  const from =
    role === "assistant" && responseId !== undefined ? { ...origin, response: responseId } : origin;
  return blocksOf(message).map((block, index) => toItem(block, role, index, from));
}

export function toItem(block: ContentBlock, role: Role, index: number, origin: ItemOrigin): ViewItem {
  const sent = wellFormedBlock(block);
  return { role, ...origin, index, block: sent, json: JSON.stringify(sent) };
}

/** The same item with another block in its place. */
export function withBlock(item: ViewItem, block: ContentBlock, decision: string): ViewItem {
  return { ...item, block, json: JSON.stringify(block), decision };
}

function blocksOf(message: Message): readonly ContentBlock[] {
  const { content } = message;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return message.type === "attachment" ? blocks.map((block) => asData(block, message.subtype)) : blocks;
}

/** An attachment's text is wrapped, so that it reads as data and not as the user's word. */
function asData(block: ContentBlock, subtype = "unknown"): ContentBlock {
  if (!isBlock(block, "text")) return block;
  return { ...block, text: `<attachment type="${subtype}">\n${block.text}\n</attachment>` };
}
