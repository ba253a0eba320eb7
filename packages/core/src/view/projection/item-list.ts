import {
  type ClearDecision,
  type ContentBlock,
  isBlock,
  type KeptSegment,
  type OffloadDecision,
  type ViewItem,
} from "../../spec/index.ts";
import { mayReplace, promptPreview, targetsOf } from "./block-replacements.ts";
import { withBlock } from "./message-items.ts";
import { filledItem, isStub, keepReplacements, offloadStub } from "./repaired-items.ts";

/** Items with an index by tool call, so that replacing a block does not look at the others. */
export interface ItemList {
  readonly items: readonly ViewItem[];
  push(items: readonly ViewItem[]): void;
  /** Replaces what the decision names; gives the new items. */
  replace(decision: OffloadDecision | ClearDecision, id: string): readonly ViewItem[];
  /** Puts the whole item in the place of the stub at a position, of those of its message. */
  fill(position: number, items: readonly ViewItem[]): void;
  /** The first position at which anything changed since the last call; the length when nothing did. */
  takeChanged(): number;
}

export function createItemList(start: readonly ViewItem[]): ItemList {
  const items: ViewItem[] = [...start];
  /** By tool use, the positions of calls and results; made when something is replaced for the first time. */
  let places: Map<string, number[]> | null = null;
  const noteReplaced = keepReplacements(items);
  let changedFrom = 0;

  function note(known: Map<string, number[]>, block: ContentBlock, index: number): void {
    const id = toolUseOf(block);
    if (id === null) return;
    const positions = known.get(id);
    if (positions) positions.push(index);
    else known.set(id, [index]);
  }

  function placesOf(id: string): readonly number[] {
    if (!places) {
      places = new Map();
      for (const [index, { block }] of items.entries()) note(places, block, index);
    }
    return places.get(id) ?? [];
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
        if (places) note(places, item.block, items.length);
        items.push(item);
      }
    },
    replace(decision, id) {
      const changed: ViewItem[] = [];
      const put = (index: number, next: ViewItem) => {
        items[index] = next;
        noteReplaced(index);
        changedFrom = Math.min(changedFrom, index);
        changed.push(next);
      };
      const blocks = decision.type === "offload" ? (decision.blocks ?? []) : [];
      for (const { entry, block } of blocks) {
        const index = items.findLastIndex((item) => item.entry === entry && item.index === block);
        const item = items[index];
        const preview = item && promptPreview(decision, item);
        if (preview !== undefined)
          put(index, withBlock(item as ViewItem, { type: "text", text: preview }, id));
      }
      for (const { part, toolUseId, replace, offloaded } of targetsOf(decision)) {
        for (const index of placesOf(toolUseId)) {
          const item = items[index];
          if (!item || !isBlock(item.block, part === "result" ? "tool_result" : "tool_use")) continue;
          if (!mayReplace(decision, item)) continue;
          if (offloaded && isStub(item)) put(index, offloadStub(item, offloaded, id));
          else put(index, withBlock(item, replace(item.block), id));
        }
      }
      return changed;
    },
    fill(position, whole) {
      const item = items[position];
      if (!item || !isStub(item)) return;
      items[position] = filledItem(item, whole);
      changedFrom = Math.min(changedFrom, position);
    },
  };
}

function toolUseOf(block: ContentBlock): string | null {
  if (isBlock(block, "tool_result")) return block.tool_use_id;
  return isBlock(block, "tool_use") ? block.id : null;
}

/** Adds what one item brings to what was found in those before it. */
type TakeItem<Found> = (found: Found, item: ViewItem, position: number) => void;

/**
 * Finds something in the items of a view at the cost of those that are new. A view's list grows, or has a part of a tool
 * call replaced where it stands by what a decision made of it; every other change makes another list. So `take` must
 * not depend on what is in such a part.
 */
export function scanItems<Found>(
  start: () => Found,
  take: TakeItem<Found>,
): (items: readonly ViewItem[]) => Found {
  const lists = new WeakMap<readonly ViewItem[], { readonly found: Found; scanned: number }>();
  return (items) => {
    const known = lists.get(items);
    const now = known && known.scanned <= items.length ? known : { found: start(), scanned: 0 };
    if (now !== known) lists.set(items, now);
    for (; now.scanned < items.length; now.scanned += 1)
      take(now.found, items[now.scanned] as ViewItem, now.scanned);
    return now.found;
  };
}

/** Whether a boundary keeps the entry with this number, though it covers it. */
export function isInSegment(kept: KeptSegment | undefined, seq: number): boolean {
  return kept !== undefined && seq >= kept.headSeq && seq <= kept.tailSeq && seq !== kept.exceptSeq;
}

/** The items that a boundary keeps, of those it covers. */
export function keptItems(covered: readonly ViewItem[], kept: KeptSegment | undefined): readonly ViewItem[] {
  const from = kept?.from;
  if (from === undefined) return covered.filter(({ seq }) => isInSegment(kept, seq));
  const start = covered.findIndex(({ entry, index }) => entry === from.entry && index === from.block);
  return start === -1 ? [] : covered.slice(start).filter(({ seq }) => seq !== kept?.exceptSeq);
}
