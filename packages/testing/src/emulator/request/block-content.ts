import { hash } from "node:crypto";
import { imageDimensions } from "./image-dimensions.ts";
import { contentOf, isRecord, toText, type WireBlock } from "./wire-values.ts";

/** One block as the emulator sees it: what it is and what it costs, without what holds it. */
export interface BlockContent {
  /** Of all that the model sees of the block, and its role; cache markers, references and absent fields are no part. */
  readonly digest: string;
  readonly tokens: number;
}

/** Bytes per token lie between these, chosen by each block's digest: a rule that no estimate fits by accident. */
const leastRatio = 2.2;
const mostRatio = 3.4;

/** As the API documents it for an image that it need not scale down. */
const pixelsPerToken = 750;
const maxImageTokens = 1_600;
const bytesPerPage = 60_000;
const tokensPerPage = 1_500;

/** `role` is the message's, or the part of the prompt. The model does not see cache edits. Linear in the block. */
export function blockContent(block: WireBlock, role: string): BlockContent {
  const media = { tokens: 0 };
  const text = canonical(block, media);
  const digest = hash("sha256", `${role} ${text}`);
  if (block.type === "cache_edits") return { digest, tokens: 0 };
  return { digest, tokens: Math.ceil(Buffer.byteLength(text) / ratioOf(digest)) + media.tokens };
}

function ratioOf(digest: string): number {
  return leastRatio + (mostRatio - leastRatio) * chanceOf(digest);
}

/** In [0, 1), by the digest alone. */
function chanceOf(digest: string): number {
  return Number.parseInt(digest.slice(0, 8), 16) / 2 ** 32;
}

const notSeen: ReadonlySet<string> = new Set(["type", "cache_control", "cache_reference"]);

/** A block's text as the model sees it; media stand in it as digests and are counted apart. */
function canonical(block: WireBlock, media: { tokens: number }): string {
  if (block.type === "image" || block.type === "document") return canonicalMedia(block, media);
  if (block.type === "text" && typeof block.text === "string" && !block.citations)
    return `text ${block.text}`;
  const fields = Object.keys(block).filter(
    (name) => !notSeen.has(name) && block[name] !== null && block[name] !== undefined,
  );
  let text = toText(block.type);
  for (const name of fields.sort()) {
    const value = block[name];
    text += ` ${name} `;
    if (name === "content" && block.type === "tool_result") {
      for (const inner of contentOf(block)) {
        const nested = canonical(inner, media);
        text += `${nested.length} ${nested}`;
      }
    } else text += typeof value === "string" ? `${value.length} ${value}` : JSON.stringify(value);
  }
  return text;
}

function canonicalMedia(block: WireBlock, media: { tokens: number }): string {
  const { source, title, context } = block;
  const data = isRecord(source) && typeof source.data === "string" ? source.data : undefined;
  if (block.type === "document" && isRecord(source) && source.type === "text")
    return `document ${JSON.stringify([title, context])} ${data}`;
  const digest = hash("sha256", data ?? JSON.stringify(source) ?? "");
  const isEncoded = isRecord(source) && source.type === "base64" && data !== undefined;
  media.tokens +=
    block.type === "image"
      ? imageTokens(isEncoded ? data : undefined, digest)
      : documentTokens(isEncoded ? data : undefined, digest);
  return `${block.type} ${digest} ${JSON.stringify([title, context])}`;
}

function imageTokens(data: string | undefined, digest: string): number {
  const size = data === undefined ? null : imageDimensions(data);
  if (!size) return Math.ceil(maxImageTokens * (0.25 + 0.75 * chanceOf(digest)));
  return Math.max(1, Math.min(maxImageTokens, Math.ceil((size.width * size.height) / pixelsPerToken)));
}

/** Between once and twice the least a page has, as the digest says; pages by size, one where it is not known. */
function documentTokens(data: string | undefined, digest: string): number {
  const pages = Math.max(1, Math.ceil(((data?.length ?? 0) * 3) / 4 / bytesPerPage));
  return Math.ceil(pages * tokensPerPage * (1 + chanceOf(digest)));
}
