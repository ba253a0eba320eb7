import { isBlock, type ViewItem } from "../../../spec/index.ts";
import { estimateBlock } from "../../../view/tokens/index.ts";

/** Whether a call of a tool waits for its result. */
export function hasOpenCall(items: readonly ViewItem[]): boolean {
  const open = new Set<string>();
  for (const { block } of items) {
    if (isBlock(block, "tool_use")) open.add(block.id);
    else if (isBlock(block, "tool_result")) open.delete(block.tool_use_id);
  }
  return open.size > 0;
}

/** Whether the assistant's newest message calls a tool. */
export function lastMessageCalls(items: readonly ViewItem[]): boolean {
  const newest = items.findLast(({ role }) => role === "assistant");
  if (!newest) return false;
  const isOfIt = ({ entry, response }: ViewItem) =>
    entry === newest.entry || (response !== undefined && response === newest.response);
  return items.some((item) => isOfIt(item) && isBlock(item.block, "tool_use"));
}

/** Calls that were made behind a sequence number. */
export function callsSince(items: readonly ViewItem[], since: number): number {
  return items.filter(({ seq, block }) => seq > since && isBlock(block, "tool_use")).length;
}

/** Estimated tokens of what came behind a sequence number. */
export function tokensSince(items: readonly ViewItem[], since: number): number {
  return items.reduce((sum, { seq, block }) => (seq > since ? sum + estimateBlock(block) : sum), 0);
}

/** The newest message in the view; what decisions have put there is none. */
export function newestMessage(items: readonly ViewItem[]): ViewItem | undefined {
  return items.findLast(({ entry, decision }) => entry !== decision);
}
