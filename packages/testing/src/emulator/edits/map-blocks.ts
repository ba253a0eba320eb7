import type { WireBlock } from "../request/content-of.ts";
import { isRecord } from "../request/is-record.ts";
import type { WireBody } from "../wire.ts";

/**
 * The request with another block, or none, in the place of each block of its messages. Messages without a list of
 * blocks stay as they are; nothing of the old request is changed.
 */
export function mapBlocks(
  body: WireBody,
  change: (block: WireBlock, message: number) => WireBlock | null,
): WireBody {
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  return {
    ...body,
    messages: messages.map((message, index) => {
      if (!isRecord(message) || !Array.isArray(message.content)) return message;
      return { ...message, content: message.content.flatMap((block) => change(block, index) ?? []) };
    }),
  };
}
