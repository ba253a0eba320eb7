import { type ContentBlock, isBlock } from "@palimpsest/core/spec";

/** Text that says nothing: the API takes no such block. */
export function isBlank(block: ContentBlock): boolean {
  return isBlock(block, "text") && typeof block.text === "string" && block.text.trim() === "";
}
