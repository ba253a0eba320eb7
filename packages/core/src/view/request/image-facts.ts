import { imageSize } from "image-size";
import { type ContentBlock, type ImageLimits, isBlock } from "../../spec/index.ts";

/** What the API's limits ask of an image. */
export interface ImageFacts {
  /** Of its base64 text: that is what the API measures. */
  readonly bytes: number;
  /** The longer side; 0 where the bytes do not say. */
  readonly sidePixels: number;
  /** All of them; 0 where the bytes do not say. */
  readonly pixels: number;
}

/** By source: a block with a cache marker is another object with the same source. */
const known = new WeakMap<object, ImageFacts>();

/** Of an image that is sent along; `null` for every other block. */
export function imageFacts(block: ContentBlock): ImageFacts | null {
  if (!isBlock(block, "image") || block.source.type !== "base64") return null;
  const { source } = block;
  const before = known.get(source);
  if (before) return before;
  const facts = { bytes: source.data.length, ...sizeOf(bytesOf(source.data)) };
  known.set(source, facts);
  return facts;
}

/** What the API would say against an image by itself; `null` when nothing. */
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
