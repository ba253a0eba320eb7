import type { BlockPlace, RepairDecision, RepairStep, ViewItem } from "../../spec/index.ts";
import { isBlock } from "../../spec/index.ts";
import { type ItemOrigin, toItem, withBlock } from "./message-items.ts";

/** Applies what a valid request needed, one step after the other. What no step names stays as it is. */
export function repairedItems(
  items: readonly ViewItem[],
  { steps }: Pick<RepairDecision, "steps">,
  origin: ItemOrigin,
): readonly ViewItem[] {
  return steps.reduce((now, step, number) => repaired(now, step, number, origin), items);
}

function repaired(
  items: readonly ViewItem[],
  step: RepairStep,
  number: number,
  origin: ItemOrigin,
): readonly ViewItem[] {
  const decision = origin.entry;
  const change = (place: BlockPlace, to: (item: ViewItem) => ViewItem) =>
    items.map((item) => (item.entry === place.entry && item.index === place.block ? to(item) : item));
  switch (step.repair) {
    case "begin-with-user":
      return [toItem({ type: "text", text: step.text }, "user", number, origin), ...items];
    case "synthetic-result": {
      const { toolUseId, text } = step;
      const block = { type: "tool_result", tool_use_id: toolUseId, content: text, is_error: true } as const;
      return withResult(items, toItem(block, "user", number, origin), toolUseId);
    }
    case "to-text":
      return change(step.place, (item) => withBlock(item, { type: "text", text: step.text }, decision));
    case "replace-block":
      return change(step.place, (item) => withBlock(item, step.block, decision));
    case "drop-block":
      return items.filter((item) => item.entry !== step.place.entry || item.index !== step.place.block);
    case "order":
      return ordered(items, step.places, decision);
  }
}

/** Behind the message that calls, and behind the results that are there already. */
function withResult(items: readonly ViewItem[], result: ViewItem, toolUseId: string): readonly ViewItem[] {
  const call = items.findLastIndex(({ block }) => isBlock(block, "tool_use") && block.id === toolUseId);
  if (call === -1) return items;
  let at = call + 1;
  while (items[at]?.role === "assistant") at += 1;
  for (let item = items[at]; item?.role === "user" && isBlock(item.block, "tool_result"); item = items[at])
    at += 1;
  return [...items.slice(0, at), result, ...items.slice(at)];
}

function ordered(
  items: readonly ViewItem[],
  places: readonly BlockPlace[],
  decision: string,
): readonly ViewItem[] {
  const keyOf = (entry: string, block: number) => `${block} ${entry}`;
  const wanted = new Map(places.map(({ entry, block }, rank) => [keyOf(entry || decision, block), rank]));
  const named = items.flatMap((item, index) => {
    const rank = wanted.get(keyOf(item.entry, item.index));
    return rank === undefined ? [] : { item, index, rank };
  });
  const sorted = named.toSorted((a, b) => a.rank - b.rank);
  const result = [...items];
  for (const [position, { index }] of named.entries()) {
    const next = sorted[position];
    if (next) result[index] = next.item;
  }
  return result;
}
