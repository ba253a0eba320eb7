import { type ContentBlock, isBlock, type UnknownBlock, type ViewItem } from "../spec/index.ts";
import { scanItems } from "./projection/item-list.ts";

/** The block of a request that asks the provider to delete results from the prefix it has cached. */
interface CacheEditsBlock extends UnknownBlock {
  readonly type: "cache_edits";
  readonly edits: readonly { readonly type: "delete"; readonly cache_reference: string }[];
}

/** Results without a reference of their own are named by their calls. */
export function cacheEditsBlock(toolUseIds: readonly string[]): CacheEditsBlock {
  const edits = toolUseIds.map((id) => ({ type: "delete", cache_reference: id }) as const);
  return { type: "cache_edits", edits };
}

/** An item that a `cache-edit` decision put into the view. The model does not see it. */
type CacheEditItem = ViewItem & { readonly block: CacheEditsBlock };

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

interface EditInput {
  readonly items: readonly ViewItem[];
  /** Items before it are read from the cache. */
  readonly readItems: number;
  /** Items before it stood, just so, in a request to this model that was answered. */
  readonly answeredItems: number;
}

/**
 * The edits that the provider would refuse. It deletes what the request reads from its cache, and takes an edit again
 * that it took before, in its place behind the very same blocks, whatever the cache still has.
 */
export function refusedEdits({ items, readItems, answeredItems }: EditInput): readonly CacheEditItem[] {
  const edits = items.flatMap((item, position) => (isCacheEdit(item) ? { item, position } : []));
  const unanswered = edits.filter(({ position }) => position >= answeredItems);
  if (unanswered.length === 0) return [];
  const readable = new Set(
    items
      .slice(0, Math.max(0, readItems))
      .flatMap(({ block }) => (isBlock(block, "tool_result") ? block.tool_use_id : [])),
  );
  return unanswered.flatMap(({ item }) => (deletedBy(item).every((id) => readable.has(id)) ? [] : item));
}

/** Tokens of a block as the model still sees it: neither cache edits nor what they deleted count. */
export function tokensLeft(
  items: readonly ViewItem[],
  tokensOf: (block: ContentBlock) => number,
): (block: ContentBlock) => number {
  const deleted = deletedResults(items);
  if (deleted.size === 0) return tokensOf;
  return (block) => {
    const isGone = isBlock(block, "tool_result")
      ? deleted.has(block.tool_use_id)
      : block.type === "cache_edits";
    return isGone ? 0 : tokensOf(block);
  };
}
