import {
  type BlockLocation,
  type ContentBlock,
  isBlock,
  type RepairStep,
  type ToolResultBlock,
  type ToolUseBlock,
  type ViewItem,
} from "../../spec/index.ts";
import { answerRepair } from "./answer-repair.ts";
import { type RepairedImages, withoutFaultyImages } from "./image-repair.ts";

export const legalToolName = /^[a-zA-Z0-9_-]{1,128}$/;

/** What a block is judged by besides itself. */
export interface BlockJudging {
  readonly images: RepairedImages;
  readonly isKnownCall: (id: string) => boolean;
  /** Blocks and fields of answers that nobody knows are sent back as they came. */
  readonly keepsUnknown: boolean;
  /** The beta headers of the request; absent: all there are. */
  readonly betas?: readonly string[];
}

/** The step that makes one block legal, whatever stands beside it; `null` when it is. */
export function blockRepair(item: ViewItem, place: BlockLocation, judging: BlockJudging): RepairStep | null {
  const { keepsUnknown, betas, images } = judging;
  const { logAddress } = images;
  const isAnswer = item.role === "assistant" && !keepsUnknown;
  return (
    ownRepair(item, place, judging) ?? (isAnswer ? answerRepair(item, place, { betas, logAddress }) : null)
  );
}

function ownRepair(
  { block, role, entry }: ViewItem,
  place: BlockLocation,
  { images, isKnownCall }: BlockJudging,
): RepairStep | null {
  const drop = (why: string): RepairStep => ({ repair: "drop-block", place, why });
  const toText = (text: string): RepairStep => ({ repair: "to-text", place, text });
  if (isBlock(block, "text")) return block.text.trim() === "" ? drop("the text is empty") : null;
  if (isBlock(block, "thinking")) {
    if (role === "user") return drop("only the assistant thinks");
    return block.signature ? null : drop("the thinking has no signature");
  }
  if (isBlock(block, "redacted_thinking")) {
    if (role === "user") return drop("only the assistant thinks");
    return block.data === "" ? drop("the thinking has no data") : null;
  }
  if (isBlock(block, "tool_use")) {
    if (role === "assistant" && isLegalCall(block) && !isKnownCall(block.id)) return null;
    return toText(`[Call ${block.id} of ${block.name}]\n${JSON.stringify(block.input ?? {})}`);
  }
  if (isBlock(block, "tool_result")) {
    if (role === "assistant") return toText(`[Result of the call ${block.tool_use_id}]`);
    const mended = withoutFaultyImages(withLegalContent(block), images, { block, entry });
    return mended === block
      ? null
      : { repair: "replace-block", place, block: mended, why: "its content is not legal" };
  }
  if (isBlock(block, "image") || isBlock(block, "document")) {
    if (role === "assistant") return toText(`[${block.type}]`);
    const mended = withoutFaultyImages(block, images, { block, entry });
    return mended === block
      ? null
      : { repair: "replace-block", place, block: mended, why: "it is larger than the API takes" };
  }
  return null;
}

/** Blocks that stand in messages only, never inside a result. */
const notInResults = new Set(["tool_use", "tool_result", "thinking", "redacted_thinking"]);

/** Whether a block may stand inside a result. */
export function isLegalInResult(block: ContentBlock): boolean {
  return isBlock(block, "text") ? block.text.trim() !== "" : !notInResults.has(block.type);
}

function withLegalContent(block: ToolResultBlock): ToolResultBlock {
  if (block.content === undefined || typeof block.content === "string") return block;
  if (block.content.every(isLegalInResult)) return block;
  const content = block.content.flatMap((inner): readonly ContentBlock[] => {
    if (isLegalInResult(inner)) return [inner];
    return isBlock(inner, "text") ? [] : [{ type: "text", text: JSON.stringify(inner) }];
  });
  return { ...block, content };
}

/** Whether a call could be sent, wherever it stands; its id is mapped then. */
export function isLegalCall({ name, input }: ToolUseBlock): boolean {
  return legalToolName.test(name) && isObject(input);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
