import type { Entry, MessageEntry, ViewItem } from "../../spec/index.ts";
import { roleOf } from "../../view/projection/message-items.ts";
import { itemFeatures } from "../../view/projection/stub-items.ts";
import {
  type CountedItem,
  createTokenCounter,
  featuresOf,
  type TokenCounter,
} from "../../view/tokens/index.ts";

/** A message as far as counting goes. `model` is the one that was asked when it came. */
export function toCounted({ message }: MessageEntry, model = "the session's"): CountedItem {
  const { responseId, usage, isAborted } = message;
  return { features: featuresOf(message.content), responseId, usage, model, isAborted };
}

/** Right behind a boundary everything is estimated: what was measured before is of another view. */
export function countFromView(items: readonly ViewItem[]): TokenCounter {
  const blocks = items.map((item) => ({ features: itemFeatures(item), isKept: true }));
  return createTokenCounter(blocks);
}

/** Counts anew after an undo or a rewind, live entry by live entry. */
export interface Recount {
  /** `items`: the view once the entry was taken in. */
  add(entry: Entry, items: readonly ViewItem[]): void;
  readonly counter: TokenCounter;
}

/**
 * Begins with the view at a boundary. What was measured between a compaction and its undo is of a view that is gone:
 * the content counts, the measures do not. What an undone decision had freed comes back where it was undone.
 */
export function createRecount(start: readonly ViewItem[], isDead: (decision: string) => boolean): Recount {
  let counter = countFromView(start);
  const freed = new Map<string, number>();
  const undone = new Set<string>();

  function decide(entry: Entry & { readonly kind: "decision" }, items: readonly ViewItem[]): void {
    const { decision, id } = entry;
    if (decision.type === "restore") {
      const back = -(freed.get(decision.decision) ?? 0);
      freed.set(id, back);
      counter.free(back);
      undone.delete(decision.decision);
    } else if (decision.type !== "compact") {
      freed.set(id, decision.frees);
      counter.free(decision.frees);
    } else if (isDead(id)) undone.add(id);
    else counter = countFromView(items);
  }

  return {
    get counter() {
      return counter;
    },
    add(entry, items) {
      if (entry.kind === "decision") decide(entry, items);
      if (entry.kind === "message" && roleOf(entry.message) !== null)
        counter.add({ ...toCounted(entry), isKept: undone.size > 0 });
    },
  };
}
