import type { ImageLimits } from "@palimpsest/core/spec";
import { imageDimensions } from "./image-dimensions.ts";
import type { Report } from "./report.ts";
import { contentOf, isRecord, toText, type WireBlock } from "./wire-values.ts";

const mediaTypes = ["image/gif", "image/jpeg", "image/png", "image/webp"];

/**
 * Images in messages and in results: their sources, their size as base64 text, their sides, their number. Bytes that
 * are no image of a known kind are let through, so that tests may use short stand-ins.
 */
export function checkImages(messages: unknown, limits: ImageLimits, report: Report): void {
  if (!Array.isArray(messages)) return;
  const images = [...imagesIn(messages)];
  const isMany = limits.many !== undefined && images.length > limits.many.count;
  const maxSide = isMany && limits.many ? limits.many.maxSidePixels : limits.maxSidePixels;
  for (const [path, { source }] of images) {
    if (!isRecord(source)) report("image-source", `${path}.source`, "Field required");
    else if (source.type === "base64") checkBytes(source, path, { ...limits, maxSide, isMany }, report);
    else if (source.type !== "url" && source.type !== "file")
      report(
        "image-source",
        `${path}.source`,
        `Input tag '${toText(source.type)}' found using 'type' does not match any of the expected tags: 'base64', 'file', 'url'`,
      );
    else if (typeof source[source.type === "url" ? "url" : "file_id"] !== "string")
      report("image-source", `${path}.source.${source.type}`, "Field required");
  }
  if (images.length > limits.maxCount)
    report("image-count", "messages", `too many images: ${images.length} > ${limits.maxCount}`);
}

function* imagesIn(messages: readonly unknown[]): Generator<[path: string, block: WireBlock]> {
  for (const [index, message] of messages.entries()) {
    for (const [at, block] of contentOf(message).entries()) {
      const path = `messages.${index}.content.${at}`;
      if (block.type === "image") yield [path, block];
      if (block.type !== "tool_result" || !Array.isArray(block.content)) continue;
      for (const [inner, nested] of contentOf(block).entries()) {
        if (nested.type === "image") yield [`${path}.content.${inner}`, nested];
      }
    }
  }
}

function checkBytes(
  source: WireBlock,
  path: string,
  limits: ImageLimits & { readonly maxSide: number; readonly isMany: boolean },
  report: Report,
): void {
  const at = `${path}.image.source.base64`;
  const { media_type: mediaType, data } = source;
  if (!mediaTypes.includes(toText(mediaType)))
    report(
      "image-media-type",
      `${at}.media_type`,
      `Input should be ${mediaTypes.map((type) => `'${type}'`).join(", ")}`,
    );
  if (typeof data !== "string") {
    report("image-source", `${at}.data`, "Field required");
    return;
  }
  if (data === "") {
    report("image-data", `${at}.data`, "image cannot be empty");
    return;
  }
  if (!isBase64(data)) {
    report("image-data", `${at}.data`, "invalid base64 data");
    return;
  }
  if (data.length > limits.maxBytes) {
    const megabytes = Math.round(limits.maxBytes / 1_048_576);
    const sentence = `image exceeds ${megabytes} MB maximum: ${data.length} bytes > ${limits.maxBytes} bytes`;
    report("image-size", at, sentence);
    return;
  }
  const size = imageDimensions(data);
  if (!size) return;
  if (mediaTypes.includes(toText(mediaType)) && size.mediaType !== mediaType)
    report(
      "image-media-type",
      `${at}.data`,
      `Image does not match the provided media type ${toText(mediaType)}`,
    );
  if (Math.max(size.width, size.height) > limits.maxSide) {
    const many = limits.isMany ? " for many-image requests" : "";
    report(
      "image-pixels",
      `${at}.data`,
      `At least one of the image dimensions exceed max allowed size${many}: ${limits.maxSide} pixels`,
    );
  }
}

/** Looks for what does not belong there: a pattern for the whole of it would need a stack as deep as an image is large. */
function isBase64(data: string): boolean {
  const padding = data.endsWith("==") ? 2 : data.endsWith("=") ? 1 : 0;
  const body = data.slice(0, data.length - padding);
  return data.length % 4 === 0 && body !== "" && !/[^A-Za-z0-9+/]/.test(body);
}
