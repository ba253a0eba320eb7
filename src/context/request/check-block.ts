import type { ContentBlock, RequestMessage } from "../../spec/index.ts";
import { isBlock } from "../../spec/index.ts";
import { isWellFormedBlock } from "../well-formed.ts";
import { isLegalCall, isLegalInResult } from "./block-repair.ts";
import { imageFault } from "./image-facts.ts";
import type { Report, RequestLimits } from "./violation.ts";

/** What is wrong with one block of a message, whatever stands beside it. */
export function checkBlock(
  block: ContentBlock,
  role: RequestMessage["role"],
  path: string,
  limits: RequestLimits,
  report: Report,
): void {
  if (!isWellFormedBlock(block)) report("well-formed", path, "It has a lone surrogate.");
  if (isBlock(block, "text") && block.text.trim() === "")
    report("text-not-empty", path, "The text is empty.");
  const isAssistants =
    isBlock(block, "tool_use") || isBlock(block, "thinking") || isBlock(block, "redacted_thinking");
  const isUsers = isBlock(block, "tool_result") || isBlock(block, "image") || isBlock(block, "document");
  if ((isAssistants && role !== "assistant") || (isUsers && role !== "user")) {
    report("block-role", path, `A ${block.type} block cannot be in a ${role} message.`);
  }
  if (isBlock(block, "tool_use") && !isLegalCall(block)) {
    const message = `“${block.name}” with the id “${block.id}” is not a legal call, or its input no object.`;
    report("legal-call", path, message);
  }
  if (isBlock(block, "thinking") && !block.signature)
    report("thinking-signed", path, "The thinking has no signature.");
  if (isBlock(block, "redacted_thinking") && block.data === "")
    report("thinking-signed", path, "The redacted thinking has no data.");
  const fault = imageFault(block, limits.images);
  if (fault !== null) report("image-size", path, `The image has ${fault}.`);
  if (isBlock(block, "tool_result") && Array.isArray(block.content)) {
    for (const [index, inner] of block.content.entries())
      checkInner(inner, `${path}.content[${index}]`, limits, report);
  }
}

/** A block inside a result; its strings were looked at with the result's. */
function checkInner(block: ContentBlock, path: string, limits: RequestLimits, report: Report): void {
  if (!isLegalInResult(block)) {
    if (isBlock(block, "text")) report("text-not-empty", path, "The text is empty.");
    else report("block-role", path, `A ${block.type} block cannot be inside a result.`);
  }
  const fault = imageFault(block, limits.images);
  if (fault !== null) report("image-size", path, `The image has ${fault}.`);
}
