import type { BlockPlace, ContentBlock, RepairStep, ViewItem } from "../../spec/index.ts";
import { isBlock } from "../../spec/index.ts";

/** What the API takes of images and documents. */
export interface BlockLimits {
  readonly maxImageBytes: number;
}

export const legalToolName = /^[a-zA-Z0-9_-]{1,128}$/;
export const legalToolId = /^[a-zA-Z0-9_-]+$/;

/** The step that makes one block legal, whatever stands beside it; `null` when it is. */
export function blockRepair(
  { block, role }: ViewItem,
  place: BlockPlace,
  limits: BlockLimits,
  knownCalls: ReadonlySet<string>,
): RepairStep | null {
  const drop = (why: string): RepairStep => ({ repair: "drop-block", place, why });
  const toText = (text: string): RepairStep => ({ repair: "to-text", place, text });
  if (isBlock(block, "text")) return block.text.trim() === "" ? drop("the text is empty") : null;
  if (isBlock(block, "thinking")) {
    if (role === "user") return drop("only the assistant thinks");
    return block.signature ? null : drop("the thinking has no signature");
  }
  if (isBlock(block, "redacted_thinking")) return role === "user" ? drop("only the assistant thinks") : null;
  if (isBlock(block, "tool_use")) {
    const isLegal = legalToolId.test(block.id) && legalToolName.test(block.name);
    if (role === "assistant" && isLegal && !knownCalls.has(block.id)) return null;
    return toText(`[Call ${block.id} of ${block.name}]\n${JSON.stringify(block.input ?? {})}`);
  }
  if (isBlock(block, "tool_result")) {
    if (role === "assistant") return toText(`[Result of the call ${block.tool_use_id}]`);
    const mended = mendedContent(block.content, limits);
    return mended === block.content
      ? null
      : {
          repair: "replace-block",
          place,
          block: { ...block, content: mended },
          why: "its content is not legal",
        };
  }
  if (isBlock(block, "image") || isBlock(block, "document")) {
    if (role === "assistant") return toText(`[${block.type}]`);
    const note = oversized(block, limits);
    return note === null
      ? null
      : { repair: "replace-block", place, block: note, why: "it is larger than the API takes" };
  }
  return null;
}

/** The same value where nothing has to change. */
function mendedContent(
  content: string | readonly ContentBlock[] | undefined,
  limits: BlockLimits,
): string | readonly ContentBlock[] | undefined {
  if (content === undefined || typeof content === "string") return content;
  const mended = content.flatMap((block) => {
    if (isBlock(block, "text") && block.text.trim() === "") return [];
    return oversized(block, limits) ?? block;
  });
  const isSame = mended.length === content.length && mended.every((block, index) => block === content[index]);
  return isSame ? content : mended;
}

function oversized(block: ContentBlock, { maxImageBytes }: BlockLimits): ContentBlock | null {
  if (!isBlock(block, "image") || block.source.type !== "base64") return null;
  const bytes = Math.floor((block.source.data.length * 3) / 4);
  if (bytes <= maxImageBytes) return null;
  return {
    type: "text",
    text: `[An image of ${bytes} bytes was here: larger than the ${maxImageBytes} the API takes.]`,
  };
}
