import { type ContentBlock, type DocumentBlock, isBlock, type TokenCount } from "../../spec/index.ts";
import { imageFacts } from "../request/media-facts.ts";
import type { Features } from "./features.ts";

/** Tokens of a content that no usage covers yet, and what the number rests on. */
export interface TokenEstimate extends TokenCount {
  readonly source: "calibrated" | "plain";
}

/** The plain rule on features: what `estimateContent` says of the same content. */
export function plainEstimate(features: Features): TokenEstimate {
  return { tokens: features.plain, source: "plain" };
}

/** Tokens of a content in a view without usage. Where only the plain rule is known it is padded, but for media. */
export function unmeasuredTokens(
  { tokens, source }: TokenEstimate,
  { media }: Pick<Features, "media">,
): number {
  if (source !== "plain") return tokens;
  const fixed = Math.min(tokens, Math.ceil(media * mediaTokens));
  return padEstimate(tokens - fixed) + fixed;
}

/** What a view without usage counts where only the plain rule is known, which is a third short on real sessions. */
export function padEstimate(tokens: number): number {
  return Math.ceil((tokens * 4) / 3);
}

/** The most that `padEstimate` makes no more than this of. */
export function unpadEstimate(tokens: number): number {
  return Math.floor((tokens * 3) / 4);
}

/** Constants of the plain rule (spec: Token counting). */
export const textBytesPerToken = 4;
const jsonBytesPerToken = 2;
/** An image or document whose size is not known, and the most that one counts. */
export const mediaTokens = 2_000;
/** The API scales an image's tokens with its area. */
const pixelsPerToken = 750;

/** Tokens of a block by the plain rule: a whole number, 0 only for what is empty. Needs to know no model. */
export function estimateBlock(block: ContentBlock): number {
  if (isBlock(block, "text")) return estimateText(block.text);
  if (isBlock(block, "thinking")) return estimateText(block.thinking);
  if (isBlock(block, "redacted_thinking")) return estimateText(block.data);
  if (isBlock(block, "tool_use")) return estimateText(block.name) + estimateJson(block.input);
  if (isBlock(block, "tool_result")) return estimateResult(block.content ?? "");
  if (isBlock(block, "image") || isBlock(block, "document")) return estimateMedia(block);
  return estimateJson(block);
}

/** Tokens of an image or a document: by its area or its text where they can be read. */
export function estimateMedia(block: ContentBlock): number {
  if (isBlock(block, "document")) return estimateDocument(block);
  const pixels = imageFacts(block)?.pixels ?? 0;
  return pixels > 0 ? Math.min(mediaTokens, Math.ceil(pixels / pixelsPerToken)) : mediaTokens;
}

function estimateDocument({ source }: DocumentBlock): number {
  if (source?.type === "text" && typeof source.data === "string") return estimateText(source.data);
  const { type, content } = (source ?? {}) as { readonly type?: string; readonly content?: unknown };
  if (type !== "content") return mediaTokens;
  return typeof content === "string" ? estimateText(content) : estimateJson(content);
}

/** Tokens of the images and documents in a block: itself, or those inside a result. */
export function mediaTokensIn(block: ContentBlock): number {
  if (isBlock(block, "image") || isBlock(block, "document")) return estimateMedia(block);
  if (!isBlock(block, "tool_result") || typeof block.content !== "object") return 0;
  return block.content.reduce((sum, inner) => sum + mediaTokensIn(inner), 0);
}

/** Tokens of a message's content by the plain rule: the sum over its blocks. */
export function estimateContent(content: string | readonly ContentBlock[]): number {
  if (typeof content === "string") return estimateText(content);
  let tokens = 0;
  for (const block of content) tokens += estimateBlock(block);
  return tokens;
}

function estimateResult(content: string | readonly ContentBlock[]): number {
  if (typeof content === "string") return estimateResultText(content, Buffer.byteLength(content));
  let tokens = 0;
  for (const block of content) {
    tokens += isBlock(block, "text")
      ? estimateResultText(block.text, Buffer.byteLength(block.text))
      : estimateBlock(block);
  }
  return tokens;
}

export function estimateResultText(text: string, bytes: number): number {
  return Math.ceil(bytes / (looksLikeJson(text) ? jsonBytesPerToken : textBytesPerToken));
}

function estimateText(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / textBytesPerToken);
}

/** Of a value that has no JSON (`undefined`, a function) nothing is sent. */
export function estimateJson(value: unknown): number {
  return Math.ceil(Buffer.byteLength(JSON.stringify(value) ?? "") / jsonBytesPerToken);
}

/** Whether a text begins and ends like a JSON object or list; nothing in between is looked at. */
export function looksLikeJson(text: string): boolean {
  let start = 0;
  let end = text.length - 1;
  while (start < end && isBlank(text.charCodeAt(start))) start += 1;
  while (end > start && isBlank(text.charCodeAt(end))) end -= 1;
  const first = text[start];
  const last = text[end];
  return start < end && ((first === "{" && last === "}") || (first === "[" && last === "]"));
}

function isBlank(code: number): boolean {
  return code === 32 || (code >= 9 && code <= 13);
}
