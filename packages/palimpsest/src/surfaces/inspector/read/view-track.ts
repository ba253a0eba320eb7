import { categories, type Projection } from "@palimpsest/core/internal";
import type { ViewChange } from "../inspected.ts";
import { categoryNumbers, type ItemRegister, type RegisteredItem } from "./item-register.ts";

/** The view as numbers of items, kept up to date at the cost of what changed. */
export interface ViewTrack {
  /** Takes over what the projection has changed. */
  look(): void;
  /** Sets the items before the messages from now on. */
  begin(head: readonly number[]): void;
  readonly numbers: readonly number[];
  /** The change since the last time; from here on changes are counted from this view. */
  takeChange(): ViewChange;
  /** Tokens of the view of the last change, by category. */
  readonly sums: readonly number[];
  /** Counts the tokens of some items of that view anew. */
  recount(numbers: readonly number[], change: () => void): void;
}

const media = categoryNumbers.get("imagesAndDocuments") as number;

export function createViewTrack(projection: Projection, register: ItemRegister): ViewTrack {
  const shown: number[] = [];
  /** The view of the last change. */
  const former: number[] = [];
  const sums = categories.map(() => 0);
  let headCount = 0;
  /** Up to here `shown` and `former` are known to be the same. */
  let sameTo = 0;

  function count(number: number, sign: 1 | -1): void {
    const { item, mediaPart } = register.items[number] as RegisteredItem;
    const ofMedia = Math.round(item.tokens * mediaPart);
    sums[item.category] = (sums[item.category] as number) + sign * (item.tokens - ofMedia);
    sums[media] = (sums[media] as number) + sign * ofMedia;
  }

  function look(): void {
    const from = projection.takeChanged();
    const { items } = projection.projected;
    shown.length = Math.min(shown.length, headCount + from);
    sameTo = Math.min(sameTo, shown.length);
    for (let at = shown.length - headCount; at < items.length; at += 1) {
      const viewed = items[at];
      if (viewed) shown.push(register.numberOf(viewed));
    }
  }

  return {
    look,
    numbers: shown,
    sums,
    begin(head) {
      shown.splice(0, headCount, ...head);
      headCount = head.length;
      sameTo = 0;
    },
    takeChange() {
      let keep = sameTo;
      while (keep < former.length && keep < shown.length && former[keep] === shown[keep]) keep += 1;
      for (let at = keep; at < former.length; at += 1) count(former[at] as number, -1);
      former.length = keep;
      const add = shown.slice(keep);
      for (const number of add) {
        former.push(number);
        count(number, 1);
      }
      sameTo = former.length;
      return { keep, add };
    },
    recount(numbers, change) {
      for (const number of numbers) count(number, -1);
      change();
      for (const number of numbers) count(number, 1);
    },
  };
}
