import type { RepairStep, ViewItem } from "../../spec/index.ts";
import { imagesIn } from "./image-facts.ts";
import { withoutImages } from "./image-repair.ts";

const wherePattern = /messages\.(\d+)\.content\.(\d+)/;

/**
 * The steps that take out the image a provider has refused, by the place that its words name; where they name none, all
 * images of the newest message that has any.
 */
export function refusedImageSteps(items: readonly ViewItem[], words: string): readonly RepairStep[] {
  const places = placesOf(items);
  const withImages = items.filter(({ block }) => imagesIn(block).length > 0);
  const [, message, content] = wherePattern.exec(words) ?? [];
  const named = withImages.filter((item) => {
    const place = places.get(item);
    return place?.message === Number(message) && place.content === Number(content);
  });
  const newest = places.get(withImages.at(-1) as ViewItem)?.message;
  const refused =
    named.length > 0 ? named : withImages.filter((item) => places.get(item)?.message === newest);
  return refused.map(({ entry, index, block }) => ({
    repair: "replace-block",
    place: { entry, block: index },
    block: withoutImages(block, "the provider has refused it"),
    why: "the provider has refused an image",
  }));
}

/** Where each item stands in the request: neighbours of one role are one message. */
function placesOf(items: readonly ViewItem[]) {
  const places = new Map<ViewItem, { readonly message: number; readonly content: number }>();
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
