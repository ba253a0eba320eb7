import { type ContentBlock, isBlock, type MediaSource } from "@palimpsest/core/spec";

/** A block as a person reads it. Images and documents are named, not shown. */
export function blockText(block: ContentBlock): string {
  if (isBlock(block, "text")) return String(block.text);
  if (isBlock(block, "thinking")) return String(block.thinking);
  if (isBlock(block, "redacted_thinking")) return "[thinking that only the provider can read]";
  if (isBlock(block, "tool_use")) return `${block.name} ${json(block.input)}`;
  if (isBlock(block, "tool_result")) return resultText(block.content ?? "");
  if (isBlock(block, "image") || isBlock(block, "document")) return mediaText(block.type, block.source);
  return json(block);
}

function resultText(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return json(content);
  return (content as readonly ContentBlock[]).map(blockText).join("\n");
}

function mediaText(kind: string, source: MediaSource | undefined): string {
  if (source?.type === "base64")
    return `[${kind}, ${source.media_type}, ${source.data.length} characters of base64]`;
  if (source?.type === "url") return `[${kind} at ${source.url}]`;
  return source?.type === "text" ? source.data : `[${kind}]`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2) ?? "";
}
