import type { ContentBlock } from "../../spec/index.ts";

export function isThinkingBlock({ type }: ContentBlock): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** Whether an assistant's message has thinking and does not begin with it. What the server did itself may stand before. */
export function hasMisplacedThinking(content: readonly ContentBlock[]): boolean {
  let hasOwn = false;
  for (const block of content) {
    if (isThinkingBlock(block)) return hasOwn;
    hasOwn ||= ownContent.has(block.type);
  }
  return false;
}

const ownContent = new Set(["text", "tool_use"]);
