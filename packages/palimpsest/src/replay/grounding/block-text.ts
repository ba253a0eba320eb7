import { type ContentBlock, isBlock } from "@palimpsest/core/spec";

/** Line numbers as file tools print them, before a tab or an arrow. */
const gutter = /^ *\d+(?:\t|→)/gm;

/** What a block says, without the line numbers of file tools: the text that atoms are looked for in. */
export function blockText(block: ContentBlock): string {
  if (isBlock(block, "text")) return block.text;
  if (isBlock(block, "thinking")) return block.thinking;
  if (isBlock(block, "tool_use")) return stringsOf(block.input).join("\n");
  if (isBlock(block, "tool_result")) return resultText(block.content ?? "").replace(gutter, "");
  return "";
}

function resultText(content: string | readonly ContentBlock[]): string {
  return typeof content === "string" ? content : content.map(blockText).join("\n");
}

/** Every string in a value, keys left out, in order. */
export function stringsOf(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value === "number") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  return Object.values(value).flatMap(stringsOf);
}
