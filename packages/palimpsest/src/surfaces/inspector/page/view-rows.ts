import type { InspectedItem, ItemText } from "../inspected.ts";
import type { ItemChange } from "./diff-views.ts";
import { itemParts, partsHeight, replacedParts, type TextPart } from "./text-parts.ts";

/** A row of the list that shows a view or what changed between two. */
export type ViewRow =
  | { readonly type: "message"; readonly key: string; readonly items: readonly number[] }
  | {
      readonly type: "item";
      readonly key: string;
      readonly item: number;
      /** How many folds or summaries it is inside of. */
      readonly depth: number;
      readonly change: ItemChange;
      readonly isOpen: boolean;
    }
  /** Absent parts are on their way. */
  | {
      readonly type: "text";
      readonly key: string;
      readonly depth: number;
      readonly parts?: readonly TextPart[];
    }
  | { readonly type: "unchanged"; readonly key: string; readonly count: number };

export interface RowsState {
  readonly items: readonly InspectedItem[];
  /** Keys of the rows that are open. */
  readonly opened: ReadonlySet<string>;
  readonly texts: ReadonlyMap<number, ItemText>;
}

const heights = { message: 34, item: 30, unchanged: 30 } as const;
const loadingHeight = 40;

export function rowHeight(row: ViewRow, columns: number): number {
  if (row.type !== "text") return heights[row.type];
  return row.parts ? partsHeight(row.parts, columns) : loadingHeight;
}

/** The view by messages; `kept` items are the same as in the request before, the others are new. */
export function toViewRows(
  state: RowsState,
  view: readonly number[],
  kept: number,
  matches: (item: InspectedItem) => boolean,
): readonly ViewRow[] {
  const rows: ViewRow[] = [];
  const fresh = new Set(view.slice(kept));
  const shown = view.filter((item) => state.items[item] && matches(state.items[item]));
  for (const items of groupByMessage(state.items, shown)) {
    rows.push({ type: "message", key: `message ${items[0]}`, items });
    for (const item of items)
      pushItem(rows, state, { type: fresh.has(item) ? "added" : "same", item }, String(item), 0);
  }
  return rows;
}

/** Unchanged items in a row up to this many are shown beside what changed. */
const fewUnchanged = 2;

/** The changes between two views; longer runs of what did not change are one row that opens. */
export function toDiffRows(state: RowsState, changes: readonly ItemChange[]): readonly ViewRow[] {
  const rows: ViewRow[] = [];
  let run: ItemChange[] = [];
  const endRun = () => {
    const key = `unchanged ${run[0]?.item}`;
    const isLong = run.length > fewUnchanged;
    if (isLong) rows.push({ type: "unchanged", key, count: run.length });
    if (!isLong || state.opened.has(key))
      for (const change of run) pushItem(rows, state, change, `${change.item}`, 0);
    run = [];
  };
  for (const change of changes) {
    if (change.type === "same") run.push(change);
    else {
      endRun();
      pushItem(rows, state, change, `${change.type} ${change.item}`, 0);
    }
  }
  endRun();
  return rows;
}

function pushItem(rows: ViewRow[], state: RowsState, change: ItemChange, key: string, depth: number): void {
  const isOpen = state.opened.has(key);
  rows.push({ type: "item", key, item: change.item, depth, change, isOpen });
  if (!isOpen) return;
  const parts = toParts(state, change);
  rows.push({ type: "text", key: `${key} text`, depth, ...(parts ? { parts } : {}) });
  for (const part of state.items[change.item]?.covers ?? [])
    if (state.items[part]) pushItem(rows, state, { type: "same", item: part }, `${key}/${part}`, depth + 1);
}

function toParts({ items, texts }: RowsState, change: ItemChange): readonly TextPart[] | undefined {
  const text = texts.get(change.item);
  const item = items[change.item];
  if (!text || !item) return undefined;
  if (change.type !== "replaced") return itemParts(item, text);
  const before = texts.get(change.before);
  return before && replacedParts(before, text);
}

function groupByMessage(items: readonly InspectedItem[], view: readonly number[]): readonly number[][] {
  const messages: number[][] = [];
  for (const number of view) {
    const last = messages.at(-1);
    const [before, item] = [items[last?.[0] ?? -1], items[number]];
    if (last && before && item && before.role === item.role && before.seq === item.seq) last.push(number);
    else messages.push([number]);
  }
  return messages;
}

/** Items whose texts the open rows want. */
export function wantedTexts(rows: readonly ViewRow[]): readonly number[] {
  return rows.flatMap((row) => {
    if (row.type !== "item" || !row.isOpen) return [];
    return row.change.type === "replaced" ? [row.change.before, row.item] : [row.item];
  });
}
