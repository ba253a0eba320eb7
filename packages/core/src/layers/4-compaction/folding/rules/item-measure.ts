import { type Facts, isBlock, type View, type ViewItem } from "../../../../spec/index.ts";
import { deletedResults } from "../../../../view/cache-edits/deleted-results.ts";
import { estimateBlock, estimateContent } from "../../../../view/tokens/index.ts";

/** How far what the session counts may be from the plain rule. */
const [leastScale, mostScale] = [0.5, 4];

/** By item: an item that is the same object has not changed. */
const known = new WeakMap<ViewItem, number>();

/** Tokens as the view counts them, by the plain rule scaled to the whole of it. */
export interface ItemMeasure {
  item(item: ViewItem): number;
  text(text: string): number;
}

/** What the provider has deleted counts nothing. */
export function measureView(
  { items, count }: Pick<View, "items" | "count">,
  { headTokens = 0 }: Pick<Facts, "headTokens">,
): ItemMeasure {
  const deleted = deletedResults(items);
  const plain = (item: ViewItem) =>
    isBlock(item.block, "tool_result") && deleted.has(item.block.tool_use_id) ? 0 : tokensOf(item);
  const all = items.reduce((sum, item) => sum + plain(item), 0);
  const counted = (count.tokens - headTokens) / Math.max(1, all);
  const scale = Math.min(mostScale, Math.max(leastScale, counted));
  return {
    item: (item) => plain(item) * scale,
    text: (text) => estimateContent(text) * scale,
  };
}

function tokensOf(item: ViewItem): number {
  const before = known.get(item);
  if (before !== undefined) return before;
  const tokens = estimateBlock(item.block);
  known.set(item, tokens);
  return tokens;
}
