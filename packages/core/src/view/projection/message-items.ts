import { type ContentBlock, isBlock, type Message, type Role, type ViewItem } from "../../spec/index.ts";
import { deepFreeze } from "../deep-freeze.ts";
import { wellFormedBlock } from "../well-formed.ts";
import { withoutMarkers } from "../without-markers.ts";
import { toAttachmentText } from "./attachment-text.ts";

/** What the items of one message share. */
export interface ItemOrigin {
  readonly entry: string;
  readonly seq: number;
  readonly decision?: string;
  readonly response?: string;
}

/** The role a message is sent with; `null` for what no model ever sees. */
export function roleOf(message: Message): Role | null {
  if (message.isSidechain || message.isAborted) return null;
  if (message.isApiErrorMessage && message.model === "<synthetic>") return null;
  if (message.type === "user" || message.type === "attachment") return "user";
  return message.type === "assistant" ? "assistant" : null;
}

/** The items of a message, one a block. */
export function messageItems(message: Message, origin: ItemOrigin): readonly ViewItem[] {
  const role = roleOf(message);
  if (role === null) return [];
  const { responseId } = message;
  const from =
    role === "assistant" && responseId !== undefined ? { ...origin, response: responseId } : origin;
  return blocksOf(message).map((block, index) => toItem(block, role, index, from));
}

export function toItem(block: ContentBlock, role: Role, index: number, origin: ItemOrigin): ViewItem {
  const { entry, seq, decision, response } = origin;
  return withJson({ role, entry, seq, index, block: asSent(block), decision, response });
}

/** The same item with another block in its place. */
export function withBlock(item: ViewItem, block: ContentBlock, decision: string): ViewItem {
  const sent = asSent(block);
  const { role, entry, seq, index, response } = item;
  return withJson({ role, entry, seq, decision, index, block: sent, response });
}

/**
 * Markers are put on a copy at send; whoever else set one would take the place of ours. Frozen, since requests that were
 * given out hold these very blocks.
 */
function asSent(block: ContentBlock): ContentBlock {
  return deepFreeze(wellFormedBlock(withoutMarkers(block)));
}

function blocksOf(message: Message): readonly ContentBlock[] {
  const { content } = message;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return message.type === "attachment" ? blocks.map((block) => asData(block, message.subtype)) : blocks;
}

function asData(block: ContentBlock, subtype: string | undefined): ContentBlock {
  return isBlock(block, "text") ? { ...block, text: toAttachmentText(block.text, subtype) } : block;
}

/** The newest that was written: who compares or hashes an item asks for it more than once. */
let newest: { readonly block: ContentBlock; readonly json: string } | undefined;

function jsonOf(this: ViewItem): string {
  if (newest?.block !== this.block) newest = { block: this.block, json: JSON.stringify(this.block) };
  return newest.json;
}

const writtenWhenAsked: PropertyDescriptor = { get: jsonOf, enumerable: true, configurable: true };

/**
 * The item with its block's bytes, which are written when they are asked for: kept, they would double what a view takes.
 * Made field by field: an object that is made by spreading others has a hidden class of its own, which takes more memory
 * than the item does.
 */
function withJson(given: Omit<ViewItem, "json">): ViewItem {
  const { role, entry, seq, index, block, decision, response } = given;
  const item: { -readonly [Name in keyof ViewItem]?: ViewItem[Name] } = { role, entry, seq, index, block };
  if (decision !== undefined) item.decision = decision;
  if (response !== undefined) item.response = response;
  return Object.defineProperty(item, "json", writtenWhenAsked) as ViewItem;
}
