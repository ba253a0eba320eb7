import { contentOf, type WireBlock } from "../request/content-of.ts";
import { isRecord } from "../request/is-record.ts";
import { isThinking } from "../thinking/prefix-digests.ts";
import type { WireBody } from "../wire.ts";
import type { ClearedRequest, Editing } from "./clear-tool-uses.ts";
import { mapBlocks } from "./map-blocks.ts";

/** The API's default. */
const defaultKeep = 1;

/**
 * `clear_thinking_20251015`, checked before: thinking goes from all turns but the newest `keep` that have some. A turn
 * is all that the assistant says up to the next message of the user that holds no results of tools.
 */
export function clearThinking(body: WireBody, { keep }: WireBlock, { measure }: Editing): ClearedRequest {
  if (keep === "all" || (isRecord(keep) && keep.type === "all")) return { body, applied: null };
  const count = isRecord(keep) ? Number(keep.value) : defaultKeep;
  const turns = turnsOf(body);
  const thinking = new Set(turns.flatMap(({ turn, hasThinking }) => (hasThinking ? turn : [])));
  const cleared = new Set([...thinking].slice(0, Math.max(0, thinking.size - count)));
  if (cleared.size === 0) return { body, applied: null };
  const edited = mapBlocks(body, (block, message) =>
    isThinking(block) && cleared.has(turns[message]?.turn ?? -1) ? null : block,
  );
  return {
    body: edited,
    applied: {
      type: "clear_thinking_20251015",
      cleared_thinking_turns: cleared.size,
      cleared_input_tokens: measure(body) - measure(edited),
    },
  };
}

/** For each message, the turn it belongs to. */
function turnsOf({ messages }: WireBody) {
  const list: readonly unknown[] = Array.isArray(messages) ? messages : [];
  let turn = 0;
  return list.map((message) => {
    const content = contentOf(message);
    const isUser = isRecord(message) && message.role === "user";
    if (isUser && !content.some(({ type }) => type === "tool_result")) turn += 1;
    return { turn, hasThinking: content.some(isThinking) };
  });
}
