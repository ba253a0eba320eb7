import {
  type BlockLocation,
  type ContentBlock,
  type ImageLimits,
  isBlock,
  type RepairStep,
  type ViewItem,
} from "../../spec/index.ts";
import { newestRoundFrom } from "../newest-answer.ts";
import { isMedia } from "../projection/message-items.ts";
import { repairedItems } from "../projection/repaired-items.ts";
import { readBackMark } from "../read-back.ts";
import { imageFault, type MediaFacts, mediaFacts, mediaIn } from "./media-facts.ts";

/** The API's limits, and where the log is where the model has no tool to recall with. */
export interface RepairedImages extends ImageLimits {
  readonly logAddress?: string;
  /** The request without its messages, in bytes of JSON. */
  readonly headBytes?: () => number;
}

/** The note in place of an image: why, and the id by which it is recalled. */
const noteOn = (
  why: string,
  id: string,
  logAddress: string | undefined,
  what = "An image",
): ContentBlock => ({
  type: "text",
  text: `[${what} was here: ${why} · ${readBackMark(id, logAddress)}]`,
});

/** The id by which an item's images are recalled. */
const recallId = ({ block, entry }: Pick<ViewItem, "block" | "entry">) =>
  isBlock(block, "tool_result") ? block.tool_use_id : entry;

/** The same block, or one whose images that are too large by themselves are texts. */
export function withoutFaultyImages(
  block: ContentBlock,
  limits: RepairedImages,
  from: Pick<ViewItem, "block" | "entry">,
): ContentBlock {
  return replaceImages(block, (image) => {
    const fault = imageFault(image, limits);
    return fault === null ? image : noteOn(fault, recallId(from), limits.logAddress);
  });
}

/** The same block with a note in the place of each image. */
export function withoutImages(item: ViewItem, why: string, logAddress?: string): ContentBlock {
  return replaceImages(item.block, () => noteOn(why, recallId(item), logAddress));
}

/** Room for growth of a request since it was measured: markers, headers, what asks for a summary of it. */
const spareShare = 0.005;
/** A note is shorter, as JSON; so is what stands around a block and around the data of an image. */
const frameBytes = 300;
/** Texts alone never take so much of what a request may have: the window is smaller. */
const textShare = 0.25;

/** Whether images and documents may be more than one request may have, so that it has to be looked at. */
export function mayExceed(
  { images, bytes, pages }: { readonly images: number; readonly bytes: number; readonly pages: number },
  { maxCount, many, maxRequestBytes, maxPages }: ImageLimits,
): boolean {
  return (
    images > Math.min(maxCount, many?.count ?? maxCount) ||
    bytes > (maxRequestBytes ?? Number.POSITIVE_INFINITY) * (1 - textShare) ||
    pages > (maxPages ?? Number.POSITIVE_INFINITY)
  );
}

/**
 * The steps that bring all images and documents of a view within what one request may have, its texts counted. The
 * oldest that a model has been asked with give way first; of what is new, as many as the API takes stay, in order.
 */
export function imageCountSteps(items: readonly ViewItem[], limits: RepairedImages): readonly RepairStep[] {
  const { maxRequestBytes } = limits;
  if (maxRequestBytes === undefined) return roomSteps(items, limits, limits);
  const texts = textsBytes(items, limits);
  const maxBytes = Math.max(0, Math.floor(maxRequestBytes * (1 - spareShare)) - texts);
  return roomSteps(items, limits, { ...limits, maxBytes });
}

/** Words by which a server says that a request has too many bytes, of whatever kind. */
export const tooLargePattern =
  /request_too_large|request exceeds the maximum (?:size|allowed number of bytes)|(?:payload|entity|content) too large/i;

/**
 * The steps after which a request that its server has found too large has half the bytes of images and documents. None
 * where most of it is text: that is left to compaction.
 */
export function tooLargeSteps(items: readonly ViewItem[], limits: RepairedImages): readonly RepairStep[] {
  const media = items.flatMap(({ block }) => mediaIn(block));
  const bytes = media.reduce((sum, one) => sum + mediaFacts(one).bytes, 0);
  if (bytes === 0 || bytes < textsBytes(items, limits)) return [];
  const room = { ...limits, maxBytes: Math.floor(bytes / 2) };
  return roomSteps(items, limits, room, "the server found the request too large");
}

function textsBytes(items: readonly ViewItem[], { headBytes }: RepairedImages): number {
  return items.reduce((sum, { block }) => sum + textBytes(block), headBytes?.() ?? 0);
}

function roomSteps(
  items: readonly ViewItem[],
  limits: RepairedImages,
  { maxCount, many, maxPages, maxBytes }: MediaRoom,
  tooManyBytes = `with it the request is larger than the ${limits.maxRequestBytes} bytes the API takes`,
): readonly RepairStep[] {
  const unseenFrom = newestRoundFrom(items);
  const all = items.flatMap(({ block }, position) =>
    mediaIn(block).map((one) => ({ ...mediaFacts(one), isUnseen: position >= unseenFrom })),
  );
  const room = { maxCount, ...(many && { many }), ...(maxPages !== undefined && { maxPages }) };
  const chosen = fitMedia(all, { ...room, ...(maxBytes !== undefined && { maxBytes }) });
  const images = all.filter(({ isImage }) => isImage).length;
  const reasons: Record<MediaLimit, string> = {
    count: `${images} are over the ${maxCount} the API takes`,
    few: `${images} are over the ${many?.count} the API takes where one has over ${many?.maxSidePixels} pixels a side`,
    wide: `larger than the API takes where there are over ${many?.count}`,
    pages: `with it there are more than the ${maxPages} pages the API takes`,
    bytes: tooManyBytes,
  };
  let at = -1;
  return items.flatMap((item): readonly RepairStep[] => {
    const block = replaceMedia(item.block, (media) => {
      at += 1;
      const limit = chosen[at] ?? null;
      return limit === null
        ? media
        : noteOn(reasons[limit], recallId(item), limits.logAddress, nameOf(media));
    });
    if (block === item.block) return [];
    const location: BlockLocation = { entry: item.entry, block: item.index };
    return [{ repair: "replace-block", place: location, block, why: "the API takes no more in one request" }];
  });
}

const nameOf = ({ type }: ContentBlock) => (type === "image" ? "An image" : "A document");

/** Of a block without the data of its images and documents, in a request. */
function textBytes(block: ContentBlock): number {
  const media = mediaIn(block);
  const frames = (media.length + 1) * frameBytes;
  if (media.length === 0) return frames + jsonBytes(block);
  if (!isBlock(block, "tool_result") || typeof block.content === "string") return frames;
  return frames + jsonBytes({ ...block, content: block.content?.filter((inner) => !media.includes(inner)) });
}

const jsonBytes = (value: unknown) => Buffer.byteLength(JSON.stringify(value));

/**
 * The steps about images that came with the newest messages, and what they push out. Images inside results that no model
 * has been asked with are left to the repair behind layer 1, which has not looked at those results yet.
 */
export function newImageSteps(items: readonly ViewItem[], limits: RepairedImages): readonly RepairStep[] {
  const unseenFrom = newestRoundFrom(items);
  const isNewImage = (item: ViewItem, position: number) =>
    position >= unseenFrom && item.role === "user" && isMedia(item.block);
  if (!items.slice(unseenFrom).some((item) => isNewImage(item, unseenFrom))) return [];
  const faulty = items.flatMap((item, position): readonly RepairStep[] => {
    if (!isNewImage(item, position)) return [];
    const block = withoutFaultyImages(item.block, limits, item);
    if (block === item.block) return [];
    const location: BlockLocation = { entry: item.entry, block: item.index };
    return [{ repair: "replace-block", place: location, block, why: "it is larger than the API takes" }];
  });
  const left = repairedItems(items, { steps: faulty }, { entry: "", seq: 0 });
  const mayChange = new Set(
    items.flatMap((item, position) =>
      position < unseenFrom || isNewImage(item, position) ? `${item.index} ${item.entry}` : [],
    ),
  );
  const count = roomSteps(left, limits, roomForNew(limits)).filter(
    (step) => "place" in step && mayChange.has(`${step.place.block} ${step.place.entry}`),
  );
  return [...faulty, ...count];
}

/** Before the layers have looked at the texts nobody knows what these will take. */
const roomForNew = ({ maxRequestBytes, ...limits }: RepairedImages): MediaRoom => ({
  ...limits,
  ...(maxRequestBytes !== undefined && { maxBytes: maxRequestBytes }),
});

function replaceImages(block: ContentBlock, replace: (image: ContentBlock) => ContentBlock): ContentBlock {
  return replaceMedia(block, (media) => (isBlock(media, "image") ? replace(media) : media));
}

/** The same block, or one in which an image or a document is something else. */
function replaceMedia(block: ContentBlock, replace: (media: ContentBlock) => ContentBlock): ContentBlock {
  if (isMedia(block)) return replace(block);
  if (!isBlock(block, "tool_result") || typeof block.content === "string") return block;
  const content = block.content?.map((inner) => (isMedia(inner) ? replace(inner) : inner));
  const isSame = content?.every((inner, index) => inner === block.content?.[index]) ?? true;
  return isSame ? block : { ...block, content };
}

/** An image or a document of a view, in the order of the view. */
export interface FittedMedia extends MediaFacts {
  /** No model has been asked with it. */
  readonly isUnseen: boolean;
}

/** Which limit leaves something out: `few` is how many images there may be where one of them is wide. */
type MediaLimit = "count" | "few" | "wide" | "pages" | "bytes";

export interface MediaRoom extends Pick<ImageLimits, "maxCount" | "many" | "maxPages"> {
  /** For images and documents alone; absent: without limit. */
  readonly maxBytes?: number;
}

/** Once something seen has to give way, so much of what is allowed stays: not every new image may cost the cache. */
const keptShare = 0.9;

/**
 * Chooses what one request may have: by position, `null` for what stays and else the limit that leaves it out. Of what is
 * unseen as many as fit stay, in order; of what was seen before, the newest that fit beside it. Where there are many
 * images none of them may be wide: either a few of any size stay or many small ones, whichever leaves more of what is
 * unseen, and then more in all.
 */
export function fitMedia(all: readonly FittedMedia[], room: MediaRoom): readonly (MediaLimit | null)[] {
  const { many } = room;
  if (!many) return fill(all, room, "count", Number.POSITIVE_INFINITY);
  const few = fill(all, { ...room, maxCount: Math.min(many.count, room.maxCount) }, "few");
  const lots = fill(all, room, "count", many.maxSidePixels);
  const kept = (chosen: readonly (MediaLimit | null)[], isUnseen: boolean) =>
    all.filter((one, at) => one.isUnseen === isUnseen && chosen[at] === null).length;
  const moreUnseen = kept(lots, true) - kept(few, true);
  const more = moreUnseen === 0 ? kept(lots, false) - kept(few, false) : moreUnseen;
  return more > 0 ? lots : few;
}

interface RemainingRoom {
  images: number;
  pages: number;
  bytes: number;
}

/** Chooses with one number of images, of which none may be wider. */
function fill(
  all: readonly FittedMedia[],
  { maxCount, maxPages = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY }: MediaRoom,
  countLimit: "count" | "few",
  maxSidePixels = Number.POSITIVE_INFINITY,
): readonly (MediaLimit | null)[] {
  const limits: RemainingRoom = { images: maxCount, pages: maxPages, bytes: maxBytes };
  const left = { ...limits };
  const chosen: (MediaLimit | null)[] = all.map(() => null);
  const take = (at: number, from: RemainingRoom) => {
    const one = all[at] as FittedMedia;
    const limit = one.sidePixels > maxSidePixels ? "wide" : limitOf(one, from, countLimit);
    chosen[at] = limit;
    if (limit === null) spend(one, from);
    return limit === null || limit === "wide";
  };
  const seen = all.flatMap(({ isUnseen }, at) => (isUnseen ? [] : at)).reverse();
  for (const [at, { isUnseen }] of all.entries()) if (isUnseen) take(at, left);
  const before = { ...left };
  if (seen.map((at) => take(at, left)).every(Boolean)) return chosen;
  const less: RemainingRoom = {
    images: before.images - Math.ceil(limits.images * (1 - keptShare)),
    pages: before.pages - share(limits.pages),
    bytes: before.bytes - share(limits.bytes),
  };
  for (const at of seen) take(at, less);
  return chosen;
}

const share = (limit: number) => (Number.isFinite(limit) ? Math.ceil(limit * (1 - keptShare)) : 0);

function limitOf(
  { isImage, pages, bytes }: MediaFacts,
  left: RemainingRoom,
  countLimit: "count" | "few",
): MediaLimit | null {
  if (isImage && left.images < 1) return countLimit;
  if (pages > 0 && pages > left.pages) return "pages";
  return bytes > 0 && bytes > left.bytes ? "bytes" : null;
}

function spend({ isImage, pages, bytes }: MediaFacts, left: RemainingRoom): void {
  left.images -= isImage ? 1 : 0;
  left.pages -= pages;
  left.bytes -= bytes;
}
