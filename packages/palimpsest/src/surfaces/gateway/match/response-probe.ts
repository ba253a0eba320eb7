import { type ContentBlock, isBlock } from "@palimpsest/core/spec";

/** Letters that every client writes down in the same way. */
const plainRun = /[\x20\x21\x23-\x2e\x30-\x3b\x3d\x3f-\x5b\x5d-\x7e]{16,80}/g;

/**
 * Bytes by which a response is found in a request that was not read: the id of its last call, or words of its last text.
 * Nothing where it has neither.
 */
export function responseProbe(content: readonly ContentBlock[]): Buffer | undefined {
  const call = content.findLast((block) => isBlock(block, "tool_use"));
  if (call && isBlock(call, "tool_use")) return Buffer.from(`"${call.id}"`);
  const text = content.findLast((block) => isBlock(block, "text"));
  const runs = text && isBlock(text, "text") ? (text.text.match(plainRun) ?? []) : [];
  const longest = [...runs].sort((one, other) => other.length - one.length)[0];
  return longest === undefined ? undefined : Buffer.from(longest);
}
