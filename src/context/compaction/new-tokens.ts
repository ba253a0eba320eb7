import type { ViewItem } from "../../spec/index.ts";
import { estimateBlock } from "../tokens/index.ts";

/** By item: an item that is the same object has not changed. */
const known = new WeakMap<ViewItem, number>();

/** Tokens of what was said behind a sequence number, by the plain rule; what decisions put into the view is not new. */
export function newTokensSince(items: readonly ViewItem[], seq: number): number {
  let tokens = 0;
  for (let at = items.length - 1; at >= 0; at -= 1) {
    const item = items[at] as ViewItem;
    if (item.seq > seq && item.decision !== item.entry) tokens += tokensOf(item);
  }
  return tokens;
}

function tokensOf(item: ViewItem): number {
  const before = known.get(item);
  if (before !== undefined) return before;
  const tokens = estimateBlock(item.block);
  known.set(item, tokens);
  return tokens;
}
