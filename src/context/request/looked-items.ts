import { isBlock, type ViewItem } from "../../spec/index.ts";
import { isLegalCall } from "./block-repair.ts";
import { imagesIn } from "./image-facts.ts";

/** What is new since the items were looked at last. */
export interface NewItems {
  /** Items before it stand where they stood. */
  readonly from: number;
  /** Positions before it at which another block stands, of the same kind and of the same call. */
  readonly replaced: readonly number[];
}

/** Items that were looked at and found valid, and what later ones are judged by. */
export interface LookedItems {
  /** Takes in the items as they are now; those before `from` are the very ones of the call before, or valid. */
  look(items: readonly ViewItem[], from: number): NewItems;
  /** To be called where the items turned out not to be valid. */
  forget(): void;
  /** Images in all of them. */
  readonly imageCount: number;
  /** Whether an item before a position calls with this id. */
  isCalledBefore(id: string, position: number): boolean;
}

export function createLookedItems(): LookedItems {
  let looked: ViewItem[] = [];
  let imageCount = 0;
  /** By id, the position of the first legal call. */
  const calls = new Map<string, number>();

  function forget(): void {
    looked = [];
    imageCount = 0;
    calls.clear();
  }

  function learn(item: ViewItem): void {
    const { block } = item;
    if (isCall(item) && isBlock(block, "tool_use") && !calls.has(block.id))
      calls.set(block.id, looked.length);
    imageCount += imagesIn(block).length;
    looked.push(item);
  }

  /** `null` where more than single blocks changed. */
  function replacedFrom(items: readonly ViewItem[], from: number): readonly number[] | null {
    const replaced: number[] = [];
    for (let at = from; at < looked.length; at += 1) {
      const before = looked[at] as ViewItem;
      const now = items[at];
      if (before === now) continue;
      if (!now || !isSamePlace(before, now)) return null;
      replaced.push(at);
    }
    return replaced;
  }

  return {
    forget,
    get imageCount() {
      return imageCount;
    },
    isCalledBefore: (id, position) => (calls.get(id) ?? Number.POSITIVE_INFINITY) < position,
    look(items, from) {
      const replaced = replacedFrom(items, from);
      if (replaced === null) forget();
      for (const at of replaced ?? []) {
        const now = items[at] as ViewItem;
        imageCount += imagesIn(now.block).length - imagesIn((looked[at] as ViewItem).block).length;
        looked[at] = now;
      }
      const newFrom = Math.max(from, looked.length);
      while (looked.length < items.length) learn(items[looked.length] as ViewItem);
      return { from: newFrom, replaced: replaced ?? [] };
    },
  };
}

/** Whether an item is, to its neighbours, what the one before it in the same place was. */
function isSamePlace(one: ViewItem, other: ViewItem): boolean {
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
