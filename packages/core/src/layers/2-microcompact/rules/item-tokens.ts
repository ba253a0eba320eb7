import type { ViewItem } from "../../../spec/index.ts";
import { estimateBlock } from "../../../view/tokens/index.ts";

const known = new WeakMap<ViewItem, number>();

/** Tokens of an item, estimated once: an item that is the same object has not changed. */
export function itemTokens(item: ViewItem): number {
  const before = known.get(item);
  if (before !== undefined) return before;
  const tokens = estimateBlock(item.block);
  known.set(item, tokens);
  return tokens;
}
