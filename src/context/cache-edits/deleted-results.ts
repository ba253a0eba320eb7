import type { ViewItem } from "../../spec/index.ts";
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

/** The calls whose results the edits among the items delete: they stand in the view, and count nothing. */
export function deletedResults(items: readonly ViewItem[]): ReadonlySet<string> {
  return new Set(items.filter(isCacheEdit).flatMap(deletedBy));
}
