import { toCallId, toChatMessages } from "@palimpsest/core/internal";
import { isBlock, type ModelRequest } from "@palimpsest/core/spec";
import type { ChatMedia, ChatMessage } from "@palimpsest/core/wire";

const pattern = /\bmessages\.?\[(\d+)\](?:\.tool_calls\.?\[(\d+)\])?/;
const media: ChatMedia = { images: true, documents: true };

/**
 * What a server has refused of a chat completion, as a place in the request that the completion was made of:
 * `messages.2.content.0: …`. Undefined where its words name no message.
 */
export function refusedWords(request: ModelRequest, words: string): string | undefined {
  const [, index, call] = pattern.exec(words) ?? [];
  if (index === undefined) return undefined;
  const chat = Number(index);
  const made = (count: number) => chatMessages(request, count);
  let [low, high] = [0, request.messages.length];
  if (made(0).length > chat || made(high).length <= chat) return undefined;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (made(middle).length > chat) high = middle;
    else low = middle;
  }
  const block = blockOf(request, low, made(high)[chat], call);
  return `messages.${low}${block === undefined ? "" : `.content.${block}`}: ${words}`;
}

/** What the first messages of a request become. */
function chatMessages({ system, messages }: ModelRequest, count: number): readonly ChatMessage[] {
  return toChatMessages({ ...(system && { system }), messages: messages.slice(0, count) }, media).messages;
}

/** The block that a tool message, or one of an assistant's calls, was made of. */
function blockOf(
  { messages }: ModelRequest,
  at: number,
  said: ChatMessage | undefined,
  call: string | undefined,
): number | undefined {
  const content = messages[at]?.content ?? [];
  const found = content.findIndex((block) =>
    said?.role === "tool"
      ? isBlock(block, "tool_result") && toCallId(block.tool_use_id) === said.tool_call_id
      : call !== undefined && block === content.filter((one) => isBlock(one, "tool_use"))[Number(call)],
  );
  return found === -1 ? undefined : found;
}
