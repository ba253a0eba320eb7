import type { ContentBlock } from "../../spec/index.ts";

export function isThinkingBlock({ type }: ContentBlock): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

/** Whether an assistant's message has thinking and does not begin with it. What the server did itself may stand before. */
export function hasMisplacedThinking(content: readonly ContentBlock[]): boolean {
  const first = content.find((block) => isThinkingBlock(block) || ownContent.has(block.type));
  return first !== undefined && !isThinkingBlock(first) && content.some(isThinkingBlock);
}

const ownContent = new Set(["text", "tool_use"]);
