import type { ViewItem } from "../../spec/index.ts";

/** Adds what one item brings to what was found in those before it. */
type TakeItem<Found> = (found: Found, item: ViewItem, position: number) => void;

/**
 * Finds something in the items of a view at the cost of those that are new. A view's list grows, or has a part of a tool
 * call replaced where it stands by what a decision made of it; every other change makes another list. So `take` must
 * not depend on what is in such a part.
 */
export function scanItems<Found>(
  start: () => Found,
  take: TakeItem<Found>,
): (items: readonly ViewItem[]) => Found {
  const lists = new WeakMap<readonly ViewItem[], { readonly found: Found; scanned: number }>();
  return (items) => {
    const known = lists.get(items);
    const now = known && known.scanned <= items.length ? known : { found: start(), scanned: 0 };
    if (now !== known) lists.set(items, now);
    for (; now.scanned < items.length; now.scanned += 1)
      take(now.found, items[now.scanned] as ViewItem, now.scanned);
    return now.found;
  };
}
