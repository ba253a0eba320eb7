import type { RepairStep, ViewItem } from "../../spec/index.ts";
import { imagesIn } from "./image-facts.ts";
import { withoutImages } from "./image-repair.ts";
import { requestPlaces } from "./request-locations.ts";

const wherePattern = /messages\.(\d+)\.content\.(\d+)/;

/**
 * The steps that take out the image a provider has refused, by the place that its words name; where they name none, all
 * images of the newest message that has any.
 */
export function refusedImageSteps(
  items: readonly ViewItem[],
  words: string,
  logAddress?: string,
): readonly RepairStep[] {
  const places = requestPlaces(items);
  const withImages = items.filter(({ block }) => imagesIn(block).length > 0);
  const [, message, content] = wherePattern.exec(words) ?? [];
  const named = withImages.filter((item) => {
    const place = places.get(item);
    return place?.message === Number(message) && place.content === Number(content);
  });
  const newest = places.get(withImages.at(-1) as ViewItem)?.message;
  const refused =
    named.length > 0 ? named : withImages.filter((item) => places.get(item)?.message === newest);
  return refused.map((item) => ({
    repair: "replace-block",
    place: { entry: item.entry, block: item.index },
    block: withoutImages(item, "the provider has refused it", logAddress),
    why: "the provider has refused an image",
  }));
}
