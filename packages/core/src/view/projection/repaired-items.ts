import {
  type BlockLocation,
  isBlock,
  type OffloadDecision,
  type RepairDecision,
  type RepairStep,
  type ToolResultBlock,
  type ViewItem,
} from "../../spec/index.ts";
import { firstChars } from "../quote-foreign.ts";
import { type ItemOrigin, resultMedia, resultText, toItem, withBlock } from "./message-items.ts";

/**
 * Applies what a valid request needed, one step after the other. What no step names stays as it is. Steps that each
 * change one block are applied together, in one pass.
 */
export function repairedItems(
  items: readonly ViewItem[],
  { steps }: Pick<RepairDecision, "steps">,
  origin: ItemOrigin,
): readonly ViewItem[] {
  let now = items;
  for (let number = 0; number < steps.length; ) {
    const atBlocks = new Map<string, BlockStep[]>();
    for (let step = steps[number]; step && isBlockStep(step); step = steps[number]) {
      const key = keyOf(step.place.entry, step.place.block);
      atBlocks.set(key, [...(atBlocks.get(key) ?? []), step]);
      number += 1;
    }
    if (atBlocks.size > 0) now = changedAt(now, atBlocks, origin.entry);
    const step = steps[number];
    if (step && !isBlockStep(step)) {
      now = repaired(now, step, number, origin);
      number += 1;
    }
  }
  return now;
}

type BlockStep = Extract<RepairStep, { readonly place: BlockLocation }>;

const isBlockStep = (step: RepairStep): step is BlockStep => "place" in step;
const keyOf = (entry: string, block: number) => `${block} ${entry}`;

function changedAt(
  items: readonly ViewItem[],
  atBlocks: ReadonlyMap<string, readonly BlockStep[]>,
  decision: string,
): readonly ViewItem[] {
  return items.flatMap((item) => {
    const steps = atBlocks.get(keyOf(item.entry, item.index)) ?? [];
    const changed = steps.reduce<ViewItem | null>((now, step) => now && changedBy(now, step, decision), item);
    return changed ?? [];
  });
}

function changedBy(item: ViewItem, step: BlockStep, decision: string): ViewItem | null {
  if (step.repair === "drop-block") return null;
  const block = step.repair === "to-text" ? { type: "text", text: step.text } : step.block;
  return withBlock(item, block, decision);
}

function repaired(
  items: readonly ViewItem[],
  step: Exclude<RepairStep, BlockStep>,
  number: number,
  origin: ItemOrigin,
): readonly ViewItem[] {
  switch (step.repair) {
    case "begin-with-user":
      return [toItem({ type: "text", text: step.text }, "user", number, origin), ...items];
    case "synthetic-result": {
      const { toolUseId, text } = step;
      const block = { type: "tool_result", tool_use_id: toolUseId, content: text, is_error: true } as const;
      return withResult(items, toItem(block, "user", number, origin), toolUseId);
    }
    case "order":
      return ordered(items, step.places, origin.entry);
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
  places: readonly BlockLocation[],
  decision: string,
): readonly ViewItem[] {
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

/** What a decision puts in place of a result's text; its images stay behind it, and so does whether it failed. */
export function offloadedBlock(
  block: ToolResultBlock,
  { preview, keptChars = 0, mediaLabel }: Omit<OffloadDecision["results"][number], "toolUseId">,
): ToolResultBlock {
  if (preview === null && mediaLabel === undefined) return block;
  const whole = resultText(block);
  const kept = firstChars(whole, keptChars);
  const words = preview === null ? whole : kept === "" ? preview : `${kept}\n${preview}`;
  const text = mediaLabel === undefined ? words : `${words}\n${mediaLabel}`.trimStart();
  const media = mediaLabel === undefined ? resultMedia(block) : [];
  return { ...block, content: media.length === 0 ? text : [{ type: "text", text }, ...media] };
}
