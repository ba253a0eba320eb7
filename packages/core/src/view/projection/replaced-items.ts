import type { ViewItem } from "../../spec/index.ts";

const journals = new WeakMap<readonly ViewItem[], number[]>();

/** Begins to keep at which positions of a list items are replaced; to be told of each. */
export function keepReplacements(items: readonly ViewItem[]): (position: number) => void {
  const positions: number[] = [];
  journals.set(items, positions);
  return (position) => positions.push(position);
}

/**
 * The positions at which items of a view's list were replaced so far, in the order in which it happened. Nothing else
 * changes in such a list, but that it grows. `undefined` for a list of which nobody keeps them.
 */
export function replacementsIn(items: readonly ViewItem[]): readonly number[] | undefined {
  return journals.get(items);
}
