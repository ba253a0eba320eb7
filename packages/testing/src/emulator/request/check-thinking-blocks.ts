import type { WireBody } from "../wire.ts";
import { contentOf, type WireBlock } from "./content-of.ts";
import { isRecord } from "./is-record.ts";
import type { Report } from "./report.ts";
import { toText } from "./to-text.ts";

/** Where thinking may stand in messages. Whether its bytes are right is `checkThinking`'s question. */
export function checkThinkingBlocks({ messages, thinking }: WireBody, report: Report): void {
  if (!Array.isArray(messages)) return;
  let last = -1;
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message) || message.role !== "assistant") continue;
    last = index;
    checkOrder(contentOf(message), `messages.${index}`, report);
  }
  if (last === -1) return;
  const content = contentOf(messages[last]);
  if (content.length > 0 && isThinking(content[content.length - 1]))
    report(
      "thinking-last",
      `messages.${last}`,
      `The final block in an assistant message cannot be \`${toText(content.at(-1)?.type)}\`.`,
    );
  if (isRecord(thinking) && thinking.type === "enabled") checkTurn(messages, last, report);
}

/** A message that has thinking begins with it; only what the server did itself may stand before. */
function checkOrder(content: readonly WireBlock[], path: string, report: Report): void {
  if (!content.some(isThinking)) return;
  const at = content.findIndex((block) => isThinking(block) || isModelsOwn(block));
  const first = content[at];
  if (!first || isThinking(first)) return;
  report(
    "thinking-first",
    `${path}.content.${at}.type`,
    `If an assistant message contains any thinking blocks, the first block must be \`thinking\` or \`redacted_thinking\`. Found \`${toText(first.type)}\`.`,
  );
}

function isModelsOwn({ type }: WireBlock): boolean {
  return type === "text" || type === "tool_use";
}

/**
 * While a prompt ends in a prefill or in results of tools, the assistant's turn goes on, and with thinking enabled
 * its first message begins with thinking. A turn begins behind the last user message that holds no results.
 */
function checkTurn(messages: readonly unknown[], last: number, report: Report): void {
  const isOpen =
    last === messages.length - 1 || contentOf(messages[last]).some(({ type }) => type === "tool_use");
  if (!isOpen) return;
  let first = last;
  for (let index = last - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (!isRecord(message)) break;
    if (message.role === "assistant") first = index;
    else if (message.role === "user" && !contentOf(message).some(({ type }) => type === "tool_result")) break;
  }
  const block = contentOf(messages[first])[0];
  if (!block || isThinking(block) || block.type === "compaction") return;
  report(
    "thinking-turn",
    `messages.${first}.content.0.type`,
    `Expected \`thinking\` or \`redacted_thinking\`, but found \`${toText(block.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
  );
}

function isThinking(block: WireBlock | undefined): boolean {
  return block?.type === "thinking" || block?.type === "redacted_thinking";
}
