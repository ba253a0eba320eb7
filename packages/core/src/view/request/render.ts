import type { RequestMessage, ViewItem } from "../../spec/index.ts";
import { toRequestBlock } from "./request-ids.ts";

/** The messages of a request: neighbouring items of one role, concatenated. Nothing is decided here. */
export function renderMessages(items: readonly ViewItem[]): readonly RequestMessage[] {
  const messages: { role: ViewItem["role"]; content: ViewItem["block"][] }[] = [];
  for (const { role, block } of items) {
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(toRequestBlock(block));
    else messages.push({ role, content: [toRequestBlock(block)] });
  }
  return messages;
}
