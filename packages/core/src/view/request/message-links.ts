import { type ContentBlock, isBlock, type RequestMessage } from "../../spec/index.ts";

/** All that messages are to their neighbours: while it is the same, the neighbours need no second look. */
export interface MessageLinks {
  readonly role: RequestMessage["role"];
  /** By block: the id it calls; `null` for blocks that call nothing. */
  readonly calls: readonly (string | null)[];
  /** By block: the id it answers; `null` for blocks that answer nothing. */
  readonly results: readonly (string | null)[];
}

export function linksOf({ role, content }: RequestMessage): MessageLinks {
  return { role, calls: content.map(callOf), results: content.map(resultOf) };
}

const callOf = (block: ContentBlock) => (isBlock(block, "tool_use") ? block.id : null);
const resultOf = (block: ContentBlock) => (isBlock(block, "tool_result") ? block.tool_use_id : null);

/** Whether a message is, to its neighbours, what another one was. */
export function hasLinks({ role, content }: RequestMessage, links: MessageLinks): boolean {
  if (role !== links.role || content.length !== links.calls.length) return false;
  for (let at = 0; at < content.length; at += 1) {
    const block = content[at] as ContentBlock;
    if (callOf(block) !== links.calls[at] || resultOf(block) !== links.results[at]) return false;
  }
  return true;
}
