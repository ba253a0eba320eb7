import {
  type ContentBlock,
  isBlock,
  type Message,
  type ViewItem,
} from "../../packages/core/src/spec/index.ts";
import type { AccountingInput, MessageTraits } from "../../packages/core/src/view/accounting/index.ts";
import { messageItems } from "../../packages/core/src/view/projection/message-items.ts";

/** A view of these messages, as `e1`, `e2`, …, and a question that knows them and counts a token a character. */
export function viewOf(
  messages: readonly Message[],
  more: Partial<AccountingInput> = {},
): { readonly items: readonly ViewItem[]; readonly input: AccountingInput } {
  const traits = new Map<string, MessageTraits>();
  const items = messages.flatMap((message, index) => {
    const entry = `e${index + 1}`;
    traits.set(entry, message);
    return messageItems(message, { entry, seq: index + 1 });
  });
  const thresholds = { window: 1_000, base: 800 };
  return {
    items,
    input: { estimate: lengthOf, messageOf: (entry) => traits.get(entry), thresholds, ...more },
  };
}

/** A token a character, 100 for an image or document, 10 for a call, and 7 for what has no text. */
export function lengthOf(block: ContentBlock): number {
  if (isBlock(block, "text")) return block.text.length;
  if (isBlock(block, "thinking")) return block.thinking.length;
  if (isBlock(block, "tool_use")) return 10;
  if (isBlock(block, "image") || isBlock(block, "document")) return 100;
  if (!isBlock(block, "tool_result") || !block.content) return 7;
  if (typeof block.content === "string") return block.content.length;
  return block.content.reduce((sum, inner) => sum + lengthOf(inner), 0);
}
