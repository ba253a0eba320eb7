import type { ContentBlock, ViewItem } from "../../spec/index.ts";

/**
 * The other halves of calls and results, of our own tools as of a server's: the result behind a call, the call before a
 * result. What stands alone has none. Ids may come again: the nearest is meant.
 */
export function callPartners(
  items: readonly ViewItem[],
  of: Iterable<ViewItem>,
): ReadonlyMap<ViewItem, ViewItem> {
  const wanted = new Set(of);
  const partners = new Map<ViewItem, ViewItem>();
  const open = new Map<string, ViewItem>();
  for (const item of items) {
    const called = idOf(item.block, "id");
    if (called !== undefined) open.set(called, item);
    const answered = idOf(item.block, "tool_use_id");
    const call = answered === undefined ? undefined : open.get(answered);
    if (!call || answered === undefined) continue;
    open.delete(answered);
    if (wanted.has(call)) partners.set(call, item);
    if (wanted.has(item)) partners.set(item, call);
  }
  return partners;
}

function idOf(block: ContentBlock, name: "id" | "tool_use_id"): string | undefined {
  const { [name]: id } = block as { readonly id?: unknown; readonly tool_use_id?: unknown };
  return typeof id === "string" ? id : undefined;
}
