import type { ViewItem } from "../../spec/index.ts";
import { scanItems } from "../projection/scan-items.ts";
import type { CacheEditsBlock } from "./cache-edits-block.ts";

/** An item that a `cache-edit` decision put into the view. The model does not see it. */
export type CacheEditItem = ViewItem & { readonly block: CacheEditsBlock };

/** A block of this type in a message is the caller's own, and an item like any other. */
export function isCacheEdit(item: ViewItem): item is CacheEditItem {
  return item.block.type === "cache_edits" && item.decision === item.entry;
}

/** The calls whose results an edit deletes. */
export function deletedBy({ block }: CacheEditItem): readonly string[] {
  return block.edits.map(({ cache_reference: toolUseId }) => toolUseId);
}

/** The cache edits of a view, in its order. */
const cacheEditsIn: (items: readonly ViewItem[]) => readonly CacheEditItem[] = scanItems(
  (): CacheEditItem[] => [],
  (found, item) => {
    if (isCacheEdit(item)) found.push(item);
  },
);

/** The calls whose results the edits among the items delete: they stand in the view, and count nothing. */
export function deletedResults(items: readonly ViewItem[]): ReadonlySet<string> {
  return new Set(cacheEditsIn(items).flatMap(deletedBy));
}
