import { type ContentBlock, isBlock, type RequestMessage } from "../../spec/index.ts";
import { isWellFormedBlock } from "../well-formed.ts";
import { isLegalCall, isLegalInResult } from "./block-repair.ts";
import { imageFault } from "./image-facts.ts";
import { isLegalId } from "./request-ids.ts";
import type { RequestLimits, Rule } from "./violation.ts";

/** Tells what is wrong with a block; where it stands is put into words only then. */
export type ReportBlock = (rule: Rule, message: string, inner?: number) => void;

/** What is wrong with one block of a message, whatever stands beside it. */
export function checkBlock(
  block: ContentBlock,
  role: RequestMessage["role"],
  limits: RequestLimits,
  report: ReportBlock,
): void {
  if (!isWellFormedBlock(block)) report("well-formed", "It has a lone surrogate.");
  /** Most blocks of a session are such: nothing else can be wrong with one. */
  if (role === "user" && isBlock(block, "tool_result") && typeof block.content === "string") return;
  if (isBlock(block, "text") && block.text.trim() === "") report("text-not-empty", "The text is empty.");
  const isAssistants =
    isBlock(block, "tool_use") || isBlock(block, "thinking") || isBlock(block, "redacted_thinking");
  const isUsers = isBlock(block, "tool_result") || isBlock(block, "image") || isBlock(block, "document");
  if ((isAssistants && role !== "assistant") || (isUsers && role !== "user")) {
    report("block-role", `A ${block.type} block cannot be in a ${role} message.`);
  }
  if (isBlock(block, "tool_use") && !(isLegalId(block.id) && isLegalCall(block))) {
    const message = `“${block.name}” with the id “${block.id}” is not a legal call, or its input no object.`;
    report("legal-call", message);
  }
  if (isBlock(block, "thinking") && !block.signature)
    report("thinking-signed", "The thinking has no signature.");
  if (isBlock(block, "redacted_thinking") && block.data === "")
    report("thinking-signed", "The redacted thinking has no data.");
  const fault = imageFault(block, limits.images);
  if (fault !== null) report("image-size", `The image has ${fault}.`);
  if (isBlock(block, "tool_result") && Array.isArray(block.content)) {
    for (const [index, inner] of block.content.entries()) checkInner(inner, index, limits, report);
  }
}

/** A block inside a result; its strings were looked at with the result's. */
function checkInner(block: ContentBlock, index: number, limits: RequestLimits, report: ReportBlock): void {
  if (!isLegalInResult(block)) {
    if (isBlock(block, "text")) report("text-not-empty", "The text is empty.", index);
    else report("block-role", `A ${block.type} block cannot be inside a result.`, index);
  }
  const fault = imageFault(block, limits.images);
  if (fault !== null) report("image-size", `The image has ${fault}.`, index);
}
