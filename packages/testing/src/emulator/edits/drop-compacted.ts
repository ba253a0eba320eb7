import { contentOf } from "../request/content-of.ts";
import { isRecord } from "../request/is-record.ts";
import type { WireBody } from "../wire.ts";

/**
 * The request from its last compaction block on: what stands in front of it is what the block sums up. A block without
 * content is a compaction that failed, and stands for nothing.
 */
export function dropCompacted(body: WireBody): WireBody {
  const messages: readonly unknown[] = Array.isArray(body.messages) ? body.messages : [];
  const at = messages.findLastIndex((message) => lastCompaction(message) !== -1);
  const message = messages[at];
  if (!isRecord(message) || !Array.isArray(message.content)) return body;
  const content = message.content.slice(lastCompaction(message));
  if (at === 0 && content.length === message.content.length) return body;
  return { ...body, messages: [{ ...message, content }, ...messages.slice(at + 1)] };
}

function lastCompaction(message: unknown): number {
  return contentOf(message).findLastIndex(
    ({ type, content }) => type === "compaction" && typeof content === "string",
  );
}
