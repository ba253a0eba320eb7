import { type ContentBlock, isBlock, type OffloadDecision, type ViewItem } from "../../spec/index.ts";
import { type Features, featuresOf } from "../tokens/index.ts";
import { type messageItems, withBlock } from "./message-items.ts";
import { offloadedBlock } from "./repaired-items.ts";

type OffloadedResult = OffloadDecision["results"][number];

/** Blocks up to this many characters are kept as they are. */
export const minStubChars = 256;

/**
 * An item without the content of its block. While a long log is read, most of what passes by is not in the view at its
 * end: contents are read again for what is.
 */
export interface StubItem extends ViewItem {
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
