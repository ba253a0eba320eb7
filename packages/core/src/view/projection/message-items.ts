import { deepFreeze, wellFormedBlock } from "../../json/json-values.ts";
import {
  type ContentBlock,
  type DocumentBlock,
  type ImageBlock,
  isBlock,
  type Message,
  type Role,
  type ToolResultBlock,
  type ViewItem,
} from "../../spec/index.ts";
import { withoutMarkers } from "../request/breakpoints.ts";

/** The fields that items of one message share. */
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
  return withJson({ role, entry, seq, index, block: withoutCacheMarkers(block), decision, response });
}

/** The same item with another block in its place. */
export function withBlock(item: ViewItem, block: ContentBlock, decision: string): ViewItem {
  const sent = withoutCacheMarkers(block);
  const { role, entry, seq, index, response } = item;
  return withJson({ role, entry, seq, decision, index, block: sent, response });
}

/**
 * Markers are put on a copy at send; whoever else set one would take the place of ours. Frozen, since requests that were
 * given out hold these very blocks.
 */
function withoutCacheMarkers(block: ContentBlock): ContentBlock {
  return deepFreeze(wellFormedBlock(withoutMarkers(block)));
}

function blocksOf(message: Message): readonly ContentBlock[] {
  const { content } = message;
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return message.type === "attachment" ? blocks.map((block) => markAsData(block, message.subtype)) : blocks;
}

function markAsData(block: ContentBlock, subtype: string | undefined): ContentBlock {
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

type Content = Pick<ToolResultBlock, "content">;

/** The texts of a result, a block a line. Media have none; a block of an unknown type has its JSON. */
export function resultText({ content }: Content): string {
  if (content === undefined || typeof content === "string") return content ?? "";
  return content.flatMap((block) => (isMedia(block) ? [] : textOrJson(block))).join("\n");
}

/** The images and documents of a result, which have no characters to save. */
export function resultMedia({ content }: Content): readonly ContentBlock[] {
  return content === undefined || typeof content === "string" ? [] : content.filter(isMedia);
}

/** An image, or a document that is not plain text. */
export function isMedia(block: ContentBlock): block is ImageBlock | DocumentBlock {
  if (isBlock(block, "image")) return true;
  return isBlock(block, "document") && block.source?.type !== "text";
}

function textOrJson(block: ContentBlock): string {
  if (isBlock(block, "text")) return block.text;
  if (isBlock(block, "document") && block.source.type === "text") return block.source.data;
  return JSON.stringify(block);
}

/** An attachment as the model sees it: wrapped, so that it reads as data and not as the user's word. */
export function toAttachmentText(text: string, subtype = "unknown"): string {
  const inside = text.replaceAll(/<(\s*)\/(?=\s*attachment)/gi, "<$1\\/");
  return `<attachment type="${subtype.replaceAll(/[^\w.-]/g, "_")}">\n${inside}\n</attachment>`;
}

const wrapped = /^<attachment type="([\w.-]*)">\n([\s\S]*)\n<\/attachment>$/;

/** The content of such a text; `undefined` for any other. */
export function readAttachmentText(
  text: string,
): { readonly subtype: string; readonly text: string } | undefined {
  const [, subtype, inside] = wrapped.exec(text) ?? [];
  if (subtype === undefined || inside === undefined) return undefined;
  return { subtype, text: inside.replaceAll(/<(\s*)\\\/(?=\s*attachment)/gi, "<$1/") };
}
