import { type ContentBlock, isBlock } from "../../spec/index.ts";
import { isMedia } from "../projection/result-content.ts";
import { imageFacts } from "./image-facts.ts";
import { pdfPages } from "./pdf-pages.ts";

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
