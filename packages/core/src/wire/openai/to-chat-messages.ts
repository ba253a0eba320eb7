import {
  type ContentBlock,
  isBlock,
  type ModelRequest,
  type RequestMessage,
  type ToolUseBlock,
} from "../../spec/index.ts";
import type { ChatAssistantMessage, ChatMedia, ChatMessage, ChatPart } from "./chat-types.ts";
import { toCallId } from "./to-call-id.ts";
import { isThinking, toChatPart } from "./to-chat-parts.ts";
import { toToolMessages } from "./to-tool-messages.ts";

/**
 * System prompt and messages in the protocol's roles. Results stand right behind their calls, in the order of the
 * calls; thinking goes, and is counted; a message that nothing is left of goes too.
 */
export function toChatMessages(
  { system = [], messages }: Pick<ModelRequest, "system" | "messages">,
  media: ChatMedia,
): { readonly messages: ChatMessage[]; readonly thinking: number } {
  const chat: ChatMessage[] = [];
  let calls: readonly ToolUseBlock[] = [];
  let thinking = 0;
  const head = toTextContent(system, media);
  if (head !== null) chat.push({ role: "system", content: head });
  for (const message of messages) {
    thinking += message.content.filter(isThinking).length;
    if (message.role === "user") chat.push(...toUserMessages(message, calls, media));
    if (message.role === "system") {
      const content = toTextContent(message.content, media);
      if (content !== null) chat.push({ role: "system", content });
      continue;
    }
    calls = message.content.filter((block) => isBlock(block, "tool_use"));
    if (message.role === "assistant") chat.push(...toAssistantMessage(message, calls, media));
  }
  return { messages: chat, thinking };
}

/** One text as a string, which every server takes; more as parts. */
export function toContent(parts: readonly ChatPart[]): string | ChatPart[] {
  const [first, ...rest] = parts;
  return first?.type === "text" && rest.length === 0 ? first.text : [...parts];
}

/** For roles that may only speak. */
function toTextContent(blocks: readonly ContentBlock[], media: ChatMedia) {
  const parts = toParts(blocks, { ...media, images: false, documents: false });
  return parts.length === 0 ? null : (toContent(parts) as string | TextPart[]);
}

type TextPart = Extract<ChatPart, { readonly type: "text" }>;

function toParts(blocks: readonly ContentBlock[], media: ChatMedia): readonly ChatPart[] {
  return blocks.flatMap((block) => toChatPart(block, media) ?? []);
}

function toUserMessages(
  { content }: RequestMessage,
  calls: readonly ToolUseBlock[],
  media: ChatMedia,
): readonly ChatMessage[] {
  const results = content.filter((block) => isBlock(block, "tool_result"));
  const others = content.filter((block) => !isBlock(block, "tool_result"));
  const { messages, moved } = toToolMessages(results, calls, media);
  const parts = [...moved, ...toParts(others, media)];
  return parts.length === 0 ? messages : [...messages, { role: "user", content: toContent(parts) }];
}

function toAssistantMessage(
  { content: blocks }: RequestMessage,
  calls: readonly ToolUseBlock[],
  media: ChatMedia,
): readonly ChatAssistantMessage[] {
  const content = toTextContent(
    blocks.filter((block) => !isBlock(block, "tool_use")),
    media,
  );
  if (calls.length === 0) return content === null ? [] : [{ role: "assistant", content }];
  const toolCalls = calls.map(({ id, name, input }) => ({
    id: toCallId(id),
    type: "function" as const,
    function: { name, arguments: JSON.stringify(input ?? {}) },
  }));
  return [{ role: "assistant", content, tool_calls: toolCalls }];
}
