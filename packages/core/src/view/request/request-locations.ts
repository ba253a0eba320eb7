import type { ViewItem } from "../../spec/index.ts";

/** Where a block stands in a request. */
export interface RequestLocation {
  readonly message: number;
  readonly content: number;
}

/** Where each item stands in the request: neighbours of one role are one message. */
export function requestPlaces(items: readonly ViewItem[]): ReadonlyMap<ViewItem, RequestLocation> {
  const places = new Map<ViewItem, RequestLocation>();
  let message = -1;
  let content = 0;
  for (const [at, item] of items.entries()) {
    if (items[at - 1]?.role !== item.role) {
      message += 1;
      content = 0;
    }
    places.set(item, { message, content });
    content += 1;
  }
  return places;
}
