import { type ContentBlock, isBlock, type ToolResultBlock, type ToolUseBlock } from "../../spec/index.ts";
import type { ChatMedia, ChatMessage, ChatPart } from "./chat-types.ts";
import { toCallId } from "./to-call-id.ts";
import { textPart, toChatPart } from "./to-chat-parts.ts";

type TextPart = Extract<ChatPart, { readonly type: "text" }>;

const errorPrefix = "Error: ";

/**
 * Results as tool messages, in the order of their calls. Tool messages hold text only: images and files of a result are
 * `moved`, each behind a label, for the message of the user that follows.
 */
export function toToolMessages(
  results: readonly ToolResultBlock[],
  calls: readonly ToolUseBlock[],
  media: ChatMedia,
): { readonly messages: readonly ChatMessage[]; readonly moved: readonly ChatPart[] } {
  const placeOf = ({ tool_use_id: id }: ToolResultBlock) => {
    const place = calls.findIndex((call) => call.id === id);
    return place === -1 ? calls.length : place;
  };
  const ordered = [...results].sort((a, b) => placeOf(a) - placeOf(b));
  const moved: ChatPart[] = [];
  const messages = ordered.map((result): ChatMessage => {
    const id = toCallId(result.tool_use_id);
    const name = calls.find((call) => call.id === result.tool_use_id)?.name ?? "a tool";
    const texts = blocksOf(result).flatMap((block) => {
      const part = toChatPart(block, media);
      if (part === null || part.type === "text") return part ?? [];
      const kind = isBlock(block, "image") ? "image" : "document";
      moved.push(textPart(`The ${kind} that ${name} gave (call ${id}):`), part);
      return textPart(`[The ${kind} follows behind the results.]`) as TextPart;
    });
    return { role: "tool", tool_call_id: id, content: toToolContent(texts, result.is_error === true) };
  });
  return { messages, moved };
}

function blocksOf({ content = [] }: ToolResultBlock): readonly ContentBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function toToolContent(texts: readonly TextPart[], isError: boolean): string | TextPart[] {
  const [first = { type: "text", text: "" } as TextPart, ...rest] = texts;
  const begin = isError ? { ...first, text: errorPrefix + first.text } : first;
  return rest.length === 0 ? begin.text : [begin, ...rest];
}
