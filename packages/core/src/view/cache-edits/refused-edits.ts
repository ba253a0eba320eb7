import { isBlock, type ViewItem } from "../../spec/index.ts";
import { type CacheEditItem, deletedBy, isCacheEdit } from "./deleted-results.ts";

export interface EditInput {
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
