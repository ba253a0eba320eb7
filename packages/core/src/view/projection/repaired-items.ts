import {
  type BlockLocation,
  type ContentBlock,
  isBlock,
  type OffloadDecision,
  type RepairDecision,
  type RepairStep,
  type ToolResultBlock,
  type ViewItem,
} from "../../spec/index.ts";
import { firstChars } from "../quote-foreign.ts";
import { type Features, featuresOf } from "../tokens/index.ts";
import {
  type ItemOrigin,
  type messageItems,
  resultMedia,
  resultText,
  toItem,
  withBlock,
} from "./message-items.ts";

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
      now = applyStep(now, step, number, origin);
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

function applyStep(
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
      return reorder(items, step.places, origin.entry);
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

function reorder(
  items: readonly ViewItem[],
  locations: readonly BlockLocation[],
  decision: string,
): readonly ViewItem[] {
  const wanted = new Map(locations.map(({ entry, block }, rank) => [keyOf(entry || decision, block), rank]));
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

/** The block in place of a result's text; its images stay behind it, and so does whether it failed. */
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

type OffloadedResult = OffloadDecision["results"][number];

/** Blocks up to this many characters are kept as they are. */
const minStubChars = 256;

/**
 * An item without the content of its block. While a long log is read, most of what passes by is not in the view at its
 * end: contents are read again for what is.
 */
interface StubItem extends ViewItem {
  /** Of the whole block. */
  readonly stubOf: Features;
  /** How many bytes the whole block has as it is sent. */
  readonly bytes: number;
  /** Decided about the whole block, and done once it is there. */
  readonly offloaded?: OffloadedResult;
}

export function isStub(item: ViewItem): item is StubItem {
  return "stubOf" in item;
}

/** The features of the block that an item has, or stands for. */
export function itemFeatures(item: ViewItem): Features {
  return isStub(item) ? item.stubOf : featuresOf(item.block);
}

/** How many bytes the block that an item has, or stands for, takes in a request. */
export function itemBytes(item: ViewItem): number {
  return isStub(item) ? item.bytes : Buffer.byteLength(item.json);
}

/** About how many characters the block of an item takes. */
export function itemChars({ block }: ViewItem): number {
  if (isBlock(block, "text")) return block.text.length;
  if (isBlock(block, "tool_result") && typeof block.content === "string") return block.content.length;
  return JSON.stringify(block).length;
}

/** The item without its content; the very same one where there is little of it. */
export function toStub(item: ViewItem): ViewItem {
  const block = itemChars(item) > minStubChars ? withoutContent(item.block) : null;
  if (!block) return item;
  const { role, entry, seq, index, response } = item;
  const stubOf = featuresOf(item.block);
  const stub: { -readonly [Name in keyof StubItem]: StubItem[Name] } = {
    role,
    entry,
    seq,
    index,
    block,
    json: "",
    stubOf,
    bytes: itemBytes(item),
  };
  if (response !== undefined) stub.response = response;
  return stub;
}

/** Ids and all that decisions go by stay; `null` for blocks of kinds that nobody knows. */
function withoutContent(block: ContentBlock): ContentBlock | null {
  if (isBlock(block, "text")) return { ...block, text: "" };
  if (isBlock(block, "tool_result")) return { ...block, content: "" };
  if (isBlock(block, "tool_use")) return { ...block, input: {} };
  if (isBlock(block, "thinking")) return { type: "thinking", thinking: "" };
  if (isBlock(block, "redacted_thinking")) return { ...block, data: "" };
  if (isBlock(block, "image") || isBlock(block, "document")) return { ...block, source: { type: "none" } };
  return null;
}

/** A stub of which an offload leaves something besides its own words: that is not known before the whole is there. */
export function offloadStub(stub: StubItem, offloaded: OffloadedResult, decision: string): StubItem {
  return { ...stub, decision, offloaded };
}

/** The item that a stub stands for, of the message it comes from. */
export function filledItem(stub: StubItem, items: ReturnType<typeof messageItems>): ViewItem {
  const whole = items.find(({ index }) => index === stub.index);
  if (!whole) return stub;
  const { offloaded, decision } = stub;
  if (!offloaded || decision === undefined || !isBlock(whole.block, "tool_result")) return whole;
  return withBlock(whole, offloadedBlock(whole.block, offloaded), decision);
}
