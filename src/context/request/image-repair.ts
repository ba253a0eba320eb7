import {
  type BlockPlace,
  type ContentBlock,
  type ImageLimits,
  isBlock,
  type RepairStep,
  type ViewItem,
} from "../../spec/index.ts";
import { imageFault, imagesIn, isWideAmongMany } from "./image-facts.ts";

/** Once there are too many images, so much of what is allowed stays: not every new image may cost the cache. */
const keptShare = 0.9;

/** What stands where an image was. */
const noteOn = (why: string): ContentBlock => ({ type: "text", text: `[An image was here: ${why}.]` });

/** The same block, or one whose images that are too large by themselves are texts. */
export function withoutFaultyImages(block: ContentBlock, limits: ImageLimits): ContentBlock {
  return replaceImages(block, (image) => {
    const fault = imageFault(image, limits);
    return fault === null ? image : noteOn(fault);
  });
}

/** The same block with a note in the place of each image. */
export function withoutImages(block: ContentBlock, why: string): ContentBlock {
  return replaceImages(block, () => noteOn(why));
}

/**
 * The steps that bring all images of a view within what one request may have. The oldest give way first. Asked only
 * when there are more than `maxCount` or `many.count`.
 */
export function imageCountSteps(items: readonly ViewItem[], limits: ImageLimits): readonly RepairStep[] {
  const total = items.reduce((sum, { block }) => sum + imagesIn(block).length, 0);
  let excess = total > limits.maxCount ? total - Math.floor(limits.maxCount * keptShare) : 0;
  const isMany = limits.many !== undefined && total - excess > limits.many.count;
  return items.flatMap((item): readonly RepairStep[] => {
    if (imagesIn(item.block).length === 0) return [];
    const block = replaceImages(item.block, (image) => {
      if (excess > 0) {
        excess -= 1;
        return noteOn(`${total} are over the ${limits.maxCount} the API takes`);
      }
      return isMany && isWideAmongMany(image, limits)
        ? noteOn(`larger than the API takes where there are over ${limits.many?.count}`)
        : image;
    });
    if (block === item.block) return [];
    const place: BlockPlace = { entry: item.entry, block: item.index };
    return [{ repair: "replace-block", place, block, why: "the request has too many images" }];
  });
}

function replaceImages(block: ContentBlock, replace: (image: ContentBlock) => ContentBlock): ContentBlock {
  if (isBlock(block, "image")) return replace(block);
  if (!isBlock(block, "tool_result") || typeof block.content === "string") return block;
  const content = block.content?.map((inner) => (isBlock(inner, "image") ? replace(inner) : inner));
  const isSame = content?.every((inner, index) => inner === block.content?.[index]) ?? true;
  return isSame ? block : { ...block, content };
}
