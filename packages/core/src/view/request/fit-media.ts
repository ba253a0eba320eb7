import type { ImageLimits } from "../../spec/index.ts";
import type { MediaFacts } from "./media-facts.ts";

/** An image or a document of a view, in the order of the view. */
export interface FittedMedia extends MediaFacts {
  /** No model has been asked with it. */
  readonly isUnseen: boolean;
}

/** Which limit leaves something out: `few` is how many images there may be where one of them is wide. */
export type MediaLimit = "count" | "few" | "wide" | "pages" | "bytes";

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

interface Left {
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
  const limits: Left = { images: maxCount, pages: maxPages, bytes: maxBytes };
  const left = { ...limits };
  const chosen: (MediaLimit | null)[] = all.map(() => null);
  const take = (at: number, from: Left) => {
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
  const less: Left = {
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
  left: Left,
  countLimit: "count" | "few",
): MediaLimit | null {
  if (isImage && left.images < 1) return countLimit;
  if (pages > 0 && pages > left.pages) return "pages";
  return bytes > 0 && bytes > left.bytes ? "bytes" : null;
}

function spend({ isImage, pages, bytes }: MediaFacts, left: Left): void {
  left.images -= isImage ? 1 : 0;
  left.pages -= pages;
  left.bytes -= bytes;
}
