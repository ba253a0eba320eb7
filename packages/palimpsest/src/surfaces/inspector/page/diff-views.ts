import type { InspectedItem } from "../inspected.ts";

/** An item's change between two views. */
export type ItemChange =
  | { readonly type: "same"; readonly item: number }
  | { readonly type: "added"; readonly item: number }
  /** `into`: the fold or summary that stands for it now. */
  | { readonly type: "removed"; readonly item: number; readonly into?: number }
  | { readonly type: "replaced"; readonly item: number; readonly before: number };

/** How one view became another, in the order of the later; what went stands where it was. */
export function diffViews(
  items: readonly InspectedItem[],
  before: readonly number[],
  after: readonly number[],
): readonly ItemChange[] {
  const inBefore = new Set(before);
  const inAfter = new Set(after);
  const gone = groupByOrigin(
    items,
    before.filter((item) => !inAfter.has(item)),
  );
  const coveredBy = new Map(after.flatMap((item) => (items[item]?.covers ?? []).map((part) => [part, item])));
  const replacements = new Map<number, number>();
  const changes = after.map((item): ItemChange => {
    if (inBefore.has(item)) return { type: "same", item };
    const former = gone.get(items[item]?.origin ?? "")?.shift();
    if (former === undefined) return { type: "added", item };
    replacements.set(former, item);
    return { type: "replaced", item, before: former };
  });
  return withRemoved(changes, before, (item) => {
    if (inAfter.has(item)) return item;
    return replacements.get(item);
  }).map((change) => {
    const into = change.type === "removed" ? coveredBy.get(change.item) : undefined;
    return into === undefined ? change : { ...change, into };
  });
}

/** Puts each item that has no successor behind what stood before it. */
function withRemoved(
  changes: readonly ItemChange[],
  before: readonly number[],
  successor: (item: number) => number | undefined,
): ItemChange[] {
  const behind = new Map<number | undefined, ItemChange[]>();
  let last: number | undefined;
  for (const item of before) {
    const stays = successor(item);
    if (stays === undefined) push(behind, last, { type: "removed", item } as const);
    else last = stays;
  }
  return [
    ...(behind.get(undefined) ?? []),
    ...changes.flatMap((change) => [change, ...(behind.get(change.item) ?? [])]),
  ];
}

function groupByOrigin(items: readonly InspectedItem[], numbers: readonly number[]): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const number of numbers) {
    const origin = items[number]?.origin;
    if (origin !== undefined) push(found, origin, number);
  }
  return found;
}

function push<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list) list.push(value);
  else lists.set(key, [value]);
}

export interface ViewDifference {
  readonly added: number;
  readonly removed: number;
  readonly replaced: number;
  /** Tokens that came, and tokens that went. */
  readonly tokensAdded: number;
  readonly tokensRemoved: number;
}

export function sumChanges(items: readonly InspectedItem[], changes: readonly ItemChange[]): ViewDifference {
  const tokens = (item: number) => items[item]?.tokens ?? 0;
  const sum = { added: 0, removed: 0, replaced: 0, tokensAdded: 0, tokensRemoved: 0 };
  for (const change of changes) {
    if (change.type === "same") continue;
    sum[change.type] += 1;
    if (change.type !== "removed") sum.tokensAdded += tokens(change.item);
    if (change.type === "removed") sum.tokensRemoved += tokens(change.item);
    if (change.type === "replaced") sum.tokensRemoved += tokens(change.before);
  }
  return sum;
}
