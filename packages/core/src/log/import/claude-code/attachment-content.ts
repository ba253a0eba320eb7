import type { ContentBlock, MediaSource } from "../../../spec/index.ts";
import { isObject, type JsonObject, textOf } from "../json-value.ts";

/**
 * An attachment as content from which it can be had again whole. Plain text stays plain; everything else becomes its
 * JSON, followed by its images and PDFs as blocks, which the JSON names by number: as text they would count as
 * hundreds of thousands of tokens.
 */
export function attachmentContent(attachment: JsonObject): readonly ContentBlock[] {
  const text = textOf(attachment, "content");
  if (text !== undefined && Object.keys(attachment).every((key) => key === "type" || key === "content")) {
    return [{ type: "text", text }];
  }
  const media: ContentBlock[] = [];
  const json = JSON.stringify(attachment, (_key, value: unknown) => {
    const source = isObject(value) ? mediaSource(value) : undefined;
    if (source === undefined || !isObject(value)) return value;
    media.push({ type: source.media_type === "application/pdf" ? "document" : "image", source });
    return withoutBytes(value, `attached as block ${media.length}`);
  });
  return [{ type: "text", text: json }, ...media];
}

type InlineSource = Extract<MediaSource, { readonly type: "base64" }>;

/** Claude Code has two shapes: the API's block with a `source`, and its own with a `file`. */
function mediaSource(value: JsonObject): InlineSource | undefined {
  const { source, file } = value;
  if (isObject(source) && source.type === "base64") return inlineSource(source, "data", "media_type");
  if (!isObject(file)) return undefined;
  if (value.type === "pdf")
    return inlineSource({ media_type: "application/pdf", ...file }, "base64", "media_type");
  return value.type === "image" ? inlineSource(file, "base64", "type") : undefined;
}

function inlineSource(from: JsonObject, dataField: string, typeField: string): InlineSource | undefined {
  const data = textOf(from, dataField);
  const mediaType = textOf(from, typeField);
  if (data === undefined || mediaType === undefined) return undefined;
  return { type: "base64", media_type: mediaType, data };
}

function withoutBytes(value: JsonObject, stead: string): JsonObject {
  const { source, file } = value;
  return {
    ...value,
    ...(isObject(source) && { source: { ...source, data: stead } }),
    ...(isObject(file) && { file: { ...file, base64: stead } }),
  };
}
