import { type ContentBlock, isBlock, type ViewItem } from "../../spec/index.ts";
import { isLegalCall } from "./answer-repair.ts";
import { mediaFacts, mediaIn } from "./media-facts.ts";
import { toRequestId } from "./request-ids.ts";

/** Items new since the last look. */
export interface NewItems {
  /** Items before it stand where they stood. */
  readonly from: number;
  /** Positions before it at which another block stands, of the same kind and of the same call. */
  readonly replaced: readonly number[];
}

/** Items that were looked at and found valid, and what later ones are judged by. */
export interface CheckedItems {
  /** Takes in the items as they are now; those before `from` are the very ones of the call before, or valid. */
  look(items: readonly ViewItem[], from: number): NewItems;
  /** To be called where the items turned out not to be valid. */
  forget(): void;
  /** Images and documents in all of them. */
  readonly media: { readonly images: number; readonly bytes: number; readonly pages: number };
  /** Whether an item before a position calls with this id. */
  isCalledBefore(id: string, position: number): boolean;
}

export function createCheckedItems(): CheckedItems {
  let looked: ViewItem[] = [];
  const media = { images: 0, bytes: 0, pages: 0 };
  /** By id as requests have it, the position of the first legal call. */
  const calls = new Map<string, number>();

  function forget(): void {
    looked = [];
    Object.assign(media, { images: 0, bytes: 0, pages: 0 });
    calls.clear();
  }

  function learn(item: ViewItem): void {
    const { block } = item;
    if (isCall(item) && isBlock(block, "tool_use")) {
      const id = toRequestId(block.id);
      if (!calls.has(id)) calls.set(id, looked.length);
    }
    count(block, 1);
    looked.push(item);
  }

  function count(block: ContentBlock, sign: 1 | -1): void {
    for (const one of mediaIn(block)) {
      const { isImage, bytes, pages } = mediaFacts(one);
      media.images += isImage ? sign : 0;
      media.bytes += sign * bytes;
      media.pages += sign * pages;
    }
  }

  /** `null` where more than single blocks changed. */
  function replacedFrom(items: readonly ViewItem[], from: number): readonly number[] | null {
    const replaced: number[] = [];
    for (let at = from; at < looked.length; at += 1) {
      const before = looked[at] as ViewItem;
      const now = items[at];
      if (before === now) continue;
      if (!now || !isSameLocation(before, now)) return null;
      replaced.push(at);
    }
    return replaced;
  }

  return {
    forget,
    media,
    isCalledBefore: (id, position) => (calls.get(toRequestId(id)) ?? Number.POSITIVE_INFINITY) < position,
    look(items, from) {
      const replaced = replacedFrom(items, from);
      if (replaced === null) forget();
      for (const at of replaced ?? []) {
        const now = items[at] as ViewItem;
        count((looked[at] as ViewItem).block, -1);
        count(now.block, 1);
        looked[at] = now;
      }
      const newFrom = Math.max(from, looked.length);
      while (looked.length < items.length) learn(items[looked.length] as ViewItem);
      return { from: newFrom, replaced: replaced ?? [] };
    },
  };
}

/** Whether an item is, to its neighbours, what the one before it in the same place was. */
function isSameLocation(one: ViewItem, other: ViewItem): boolean {
  return (
    one.role === other.role &&
    one.response === other.response &&
    one.block.type === other.block.type &&
    idOf(one) === idOf(other) &&
    isCall(one) === isCall(other)
  );
}

function idOf({ block }: ViewItem): string | null {
  if (isBlock(block, "tool_result")) return block.tool_use_id;
  return isBlock(block, "tool_use") ? block.id : null;
}

function isCall({ role, block }: ViewItem): boolean {
  return role === "assistant" && isBlock(block, "tool_use") && isLegalCall(block);
}
