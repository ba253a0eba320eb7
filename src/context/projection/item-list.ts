import type { ClearDecision, ContentBlock, OffloadDecision, ViewItem } from "../../spec/index.ts";
import { isBlock } from "../../spec/index.ts";
import { blockReplacements, mayReplace, partKey } from "./block-replacements.ts";
import { withBlock } from "./message-items.ts";

/** Items with an index by tool call, so that replacing a block does not look at the others. */
export interface ItemList {
  readonly items: readonly ViewItem[];
  push(items: readonly ViewItem[]): void;
  /** Replaces what the decision names; gives the new items. */
  replace(decision: OffloadDecision | ClearDecision, id: string): readonly ViewItem[];
  /** The first position at which anything changed since the last call; the length when nothing did. */
  takeChanged(): number;
}

export function createItemList(start: readonly ViewItem[]): ItemList {
  const items: ViewItem[] = [...start];
  const places = new Map<string, number[]>();
  let changedFrom = 0;
  for (const [index, { block }] of items.entries()) note(block, index);

  function note(block: ContentBlock, index: number): void {
    const key = partKey(block);
    if (key === null) return;
    const known = places.get(key);
    if (known) known.push(index);
    else places.set(key, [index]);
  }

  return {
    items,
    takeChanged() {
      const from = Math.min(changedFrom, items.length);
      changedFrom = items.length;
      return from;
    },
    push(added) {
      for (const item of added) {
        note(item.block, items.length);
        items.push(item);
      }
    },
    replace(decision, id) {
      const changed: ViewItem[] = [];
      for (const [key, replace] of blockReplacements(decision)) {
        for (const index of places.get(key) ?? []) {
          const item = items[index];
          if (!item || !isBlock(item.block, key.startsWith("result ") ? "tool_result" : "tool_use")) continue;
          if (!mayReplace(decision, item)) continue;
          const next = withBlock(item, replace(item.block), id);
          items[index] = next;
          changedFrom = Math.min(changedFrom, index);
          changed.push(next);
        }
      }
      return changed;
    },
  };
}
