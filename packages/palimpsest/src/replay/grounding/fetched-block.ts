import { type ContentBlock, isBlock, type ToolResultBlock, type ToolUseBlock } from "@palimpsest/core/spec";
import type { RecordedSession } from "../recorded-session.ts";
import type { RecordedBlock } from "./recorded-blocks.ts";

/** The call that brings a block back, and the result it comes in. No policy clears results of this tool. */
export function fetchedBlock(
  { key, block, text }: RecordedBlock,
  id: string,
): { readonly call: ToolUseBlock; readonly result: ToolResultBlock } {
  const content = isBlock(block, "tool_result") ? (block.content ?? text) : text;
  return {
    call: { type: "tool_use", id, name: "Recall", input: { id: key } },
    result: { type: "tool_result", tool_use_id: id, content },
  };
}

/** What kind of block it is: the tool of a result, the tool of a call, or its type. */
export function createBlockKinds({ requests }: RecordedSession): (block: ContentBlock) => string {
  const tools = new Map<string, string>();
  for (const { response } of requests)
    for (const block of response.content) if (isBlock(block, "tool_use")) tools.set(block.id, block.name);
  return (block) => {
    if (isBlock(block, "tool_result")) return tools.get(block.tool_use_id) ?? block.type;
    return isBlock(block, "tool_use") ? `${block.name} input` : block.type;
  };
}
