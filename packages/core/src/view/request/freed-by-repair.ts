import type { ContentBlock, RepairStep, ViewItem } from "../../spec/index.ts";

/** How many tokens fewer the items have once the steps are applied; negative where the steps add more than they take. */
export function freedByRepair(
  items: readonly ViewItem[],
  steps: readonly RepairStep[],
  tokensOf: (block: ContentBlock) => number,
): number {
  if (steps.length === 0) return 0;
  const blocks = new Map(items.map(({ entry, index, block }) => [keyOf(entry, index), block]));
  let freed = 0;
  const change = (place: { readonly entry: string; readonly block: number }, after?: ContentBlock) => {
    const key = keyOf(place.entry, place.block);
    const before = blocks.get(key);
    if (before === undefined) return;
    freed += tokensOf(before) - (after === undefined ? 0 : tokensOf(after));
    if (after === undefined) blocks.delete(key);
    else blocks.set(key, after);
  };
  for (const step of steps) {
    if (step.repair === "drop-block") change(step.place);
    else if (step.repair === "replace-block") change(step.place, step.block);
    else if (step.repair === "to-text") change(step.place, { type: "text", text: step.text });
    else if (step.repair !== "order") freed -= tokensOf({ type: "text", text: step.text });
  }
  return freed;
}

const keyOf = (entry: string, block: number) => `${block} ${entry}`;
