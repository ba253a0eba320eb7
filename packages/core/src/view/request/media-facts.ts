import { inflateSync } from "node:zlib";
import { imageSize } from "image-size";
import { type ContentBlock, type ImageLimits, isBlock } from "../../spec/index.ts";
import { isMedia } from "../projection/message-items.ts";

/** Facts about an image or a document for the limits of a whole request. */
export interface MediaFacts {
  readonly isImage: boolean;
  /** Of its base64 text; 0 where it is not sent along. */
  readonly bytes: number;
  /** The longer side of an image; 0 where nothing says it. */
  readonly sidePixels: number;
  /** Of a PDF; 0 where nothing says it. */
  readonly pages: number;
}

/** Of documents, by source: to look for pages means to read all of it. */
const knownMedia = new WeakMap<object, MediaFacts>();

const noMedia: readonly ContentBlock[] = [];

/** The images and documents of a block: itself, or those inside a result. */
export function mediaIn(block: ContentBlock): readonly ContentBlock[] {
  if (isMedia(block)) return [block];
  if (!isBlock(block, "tool_result") || typeof block.content === "string") return noMedia;
  return block.content?.filter(isMedia) ?? noMedia;
}

export function mediaFacts(block: ContentBlock): MediaFacts {
  if (!isBlock(block, "document")) {
    const { bytes, sidePixels } = imageFacts(block) ?? { bytes: 0, sidePixels: 0 };
    return { isImage: true, bytes, sidePixels, pages: 0 };
  }
  const { source } = block;
  const before = knownMedia.get(source);
  if (before) return before;
  const data = source.type === "base64" ? source.data : "";
  const pages = data === "" ? 0 : pdfPages(Buffer.from(data, "base64"));
  const facts = { isImage: false, bytes: data.length, sidePixels: 0, pages };
  knownMedia.set(source, facts);
  return facts;
}

/** Pages stand in the file itself or, since PDF 1.5, in compressed streams of objects. */
const pagePattern = /\/Type\s*\/Page(?![A-Za-z])/g;
const countPattern = /\/Count\s+(\d{1,7})/g;
const objectsPattern = /\/Type\s*\/ObjStm[\s\S]{0,2000}?stream\r?\n/g;
/** No stream of objects in an honest file is larger. */
const maxInflatedBytes = 33_554_432;

/** How many pages a PDF has; 0 where its bytes do not say. Never more than it has where it was edited in place. */
export function pdfPages(bytes: Uint8Array): number {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const text = file.toString("latin1");
  let pages = 0;
  let counted = 0;
  for (const part of [text, ...objectStreams(file, text)]) {
    pages += [...part.matchAll(pagePattern)].length;
    for (const [, count] of part.matchAll(countPattern)) counted = Math.max(counted, Number(count));
  }
  return counted > 0 ? Math.min(pages, counted) : pages;
}

function* objectStreams(file: Buffer, text: string): Generator<string> {
  for (const match of text.matchAll(objectsPattern)) {
    const start = match.index + match[0].length;
    const end = text.indexOf("endstream", start);
    if (end === -1) continue;
    yield inflateStream(file.subarray(start, end));
  }
}

/** A stream that is damaged, encrypted or coded otherwise says nothing. */
function inflateStream(stream: Buffer): string {
  try {
    return inflateSync(stream, { maxOutputLength: maxInflatedBytes }).toString("latin1");
  } catch {
    return "";
  }
}

/** Facts about an image for the API's limits. */
interface ImageFacts {
  /** Of its base64 text: that is what the API measures. */
  readonly bytes: number;
  /** The longer side; 0 where the bytes do not say. */
  readonly sidePixels: number;
  /** All of them; 0 where the bytes do not say. */
  readonly pixels: number;
}

/** By source: a block with a cache marker is another object with the same source. */
const knownImages = new WeakMap<object, ImageFacts>();

/** Of an image that is sent along; `null` for every other block. */
export function imageFacts(block: ContentBlock): ImageFacts | null {
  if (!isBlock(block, "image") || block.source.type !== "base64") return null;
  const { source } = block;
  const before = knownImages.get(source);
  if (before) return before;
  const facts = { bytes: source.data.length, ...sizeOf(bytesOf(source.data)) };
  knownImages.set(source, facts);
  return facts;
}

/** The API's objection to an image by itself; `null` when nothing. */
export function imageFault(block: ContentBlock, limits: ImageLimits): string | null {
  const facts = imageFacts(block);
  if (!facts) return null;
  if (facts.bytes > limits.maxBytes) return `${facts.bytes} bytes, over the ${limits.maxBytes} the API takes`;
  if (facts.sidePixels <= limits.maxSidePixels) return null;
  return `${facts.sidePixels} pixels a side, over the ${limits.maxSidePixels} the API takes`;
}

/** Whether an image is too wide once a request has many of them. */
export function isWideAmongMany(block: ContentBlock, { many }: ImageLimits): boolean {
  return many !== undefined && (imageFacts(block)?.sidePixels ?? 0) > many.maxSidePixels;
}

const noImages: readonly ContentBlock[] = [];

/** The images of a block: itself, or those inside a result. */
export function imagesIn(block: ContentBlock): readonly ContentBlock[] {
  if (isBlock(block, "image")) return [block];
  if (!isBlock(block, "tool_result") || typeof block.content === "string") return noImages;
  return block.content?.filter((inner) => isBlock(inner, "image")) ?? noImages;
}

/** In memory of their own: image-size reads on past the end of a buffer that shares its memory with others. */
function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, "base64"));
}

/** Bytes that are no image are the API's to judge: nothing here says what they would be. */
function sizeOf(bytes: Uint8Array): Omit<ImageFacts, "bytes"> {
  try {
    const { width, height } = imageSize(bytes);
    return { sidePixels: Math.max(width, height), pixels: width * height };
  } catch {
    return { sidePixels: 0, pixels: 0 };
  }
}
