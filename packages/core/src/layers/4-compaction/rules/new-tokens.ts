import type { ViewItem } from "../../../spec/index.ts";
import { estimateBlock } from "../../../view/tokens/index.ts";

/** By item: an item that is the same object has not changed. */
const known = new WeakMap<ViewItem, number>();

/**
 * Tokens of what was said behind a sequence number, by the plain rule; what decisions put into the view is not new. What
 * no model had been asked with at that number is new as well, once one has answered it. Nobody asks how many they are
 * over `most`: counting ends there, so that a long view costs no more than a short one.
 */
export function newTokensSince(items: readonly ViewItem[], seq: number, most: number): number {
  let tokens = 0;
  let hasAnswer = false;
  let wasUnseen = true;
  for (let at = items.length - 1; at >= 0 && tokens <= most; at -= 1) {
    const item = items[at] as ViewItem;
    if (item.decision === item.entry) continue;
    const isLater = item.seq > seq;
    if (item.role === "assistant") {
      if (isLater) hasAnswer = true;
      else wasUnseen = false;
    }
    if (isLater || (hasAnswer && wasUnseen)) tokens += tokensOf(item);
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
