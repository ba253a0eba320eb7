import { inflateSync } from "node:zlib";
import { type ContentBlock, isBlock } from "../../spec/index.ts";
import { isMedia } from "../projection/result-content.ts";
import { imageFacts } from "./image-facts.ts";

/** What the limits of a whole request ask of an image or a document. */
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
const known = new WeakMap<object, MediaFacts>();

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
  const before = known.get(source);
  if (before) return before;
  const data = source.type === "base64" ? source.data : "";
  const pages = data === "" ? 0 : pdfPages(Buffer.from(data, "base64"));
  const facts = { isImage: false, bytes: data.length, sidePixels: 0, pages };
  known.set(source, facts);
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
    yield inflated(file.subarray(start, end));
  }
}

/** A stream that is damaged, encrypted or coded otherwise says nothing. */
function inflated(stream: Buffer): string {
  try {
    return inflateSync(stream, { maxOutputLength: maxInflatedBytes }).toString("latin1");
  } catch {
    return "";
  }
}
