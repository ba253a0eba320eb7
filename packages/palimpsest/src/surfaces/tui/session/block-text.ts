import { type ContentBlock, isBlock, type Message } from "@palimpsest/core/spec";
import { formatBytes } from "../../cli/format-amount.ts";

/** A value of the log as text; of one that is kept as a blob, its size. */
export function valueText(value: unknown): string {
  if (typeof value === "string") return value;
  if (Array.isArray(value)) return value.map((each) => blockText(each as ContentBlock)).join("\n");
  if (isStored(value)) return `(${formatBytes(value.bytes)})`;
  return value === undefined ? "" : (JSON.stringify(value, null, 2) ?? "");
}

export function blockText(block: ContentBlock): string {
  if (isBlock(block, "text")) return valueText(block.text);
  if (isBlock(block, "thinking")) return valueText(block.thinking);
  if (isBlock(block, "tool_use")) return valueText(block.input);
  if (isBlock(block, "tool_result")) return valueText(block.content);
  return `[${block.type}]`;
}

export function blocksOf({ content }: Message): readonly ContentBlock[] {
  const value: unknown = content;
  if (typeof value === "string") return [{ type: "text", text: value }];
  return Array.isArray(value)
    ? (value as readonly ContentBlock[])
    : [{ type: "text", text: valueText(value) }];
}

function isStored(value: unknown): value is { readonly bytes: number } {
  return typeof value === "object" && value !== null && "blob" in value && "bytes" in value;
}
