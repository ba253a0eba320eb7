import { type ContentBlock, isBlock, type RequestMessage } from "../../spec/index.ts";
import { isWellFormedBlock } from "../well-formed.ts";
import { isLegalCall, isLegalInResult } from "./block-repair.ts";
import { imageFault, imagesIn, isWideAmongMany } from "./image-facts.ts";
import { isSignedBlock } from "./native-block.ts";
import { isLegalId } from "./request-ids.ts";
import { hasMisplacedThinking } from "./thinking-location.ts";
import type { RequestLimits, Rule, Totals, Violation } from "./violation.ts";

export interface CheckedMessage {
  readonly violations: readonly Violation[];
  readonly totals: Totals;
}

/** One message by itself, but for the role of the one before it; what it calls and answers is left to `checkLinks`. */
export function checkMessage(
  messages: readonly RequestMessage[],
  index: number,
  limits: RequestLimits,
): CheckedMessage {
  const violations: Violation[] = [];
  const message = messages[index] as RequestMessage;
  const { role, content } = message;
  const report = (rule: Rule, text: string, where = "") =>
    violations.push({ rule, path: `messages[${index}]${where}`, message: text });
  if (index === 0 && role !== "user" && content[0]?.type !== "compaction") {
    report("begins-with-user", "The first message is not the user's.");
  }
  if (messages[index - 1]?.role === role)
    report("roles-alternate", `Two ${role} messages follow each other.`);
  if (content.length === 0) report("content-not-empty", "The message is empty.");
  for (let at = 0; at < content.length; at += 1) {
    const block = content[at] as ContentBlock;
    checkBlock(block, role, limits, (rule, text, inner) =>
      report(rule, text, `.content[${at}]${inner === undefined ? "" : `.content[${inner}]`}`),
    );
    if (isSignedBlock(block) && (index > 0 || at > 0))
      report("compaction-first", "A signed compaction block is not the first block.", `.content[${at}]`);
  }
  if (hasMisplacedThinking(content))
    report("thinking-first", "The message has thinking and does not begin with it.");
  return { violations, totals: totalsOf(message, limits) };
}

function totalsOf({ content }: RequestMessage, limits: RequestLimits): Totals {
  const totals = { images: 0, wide: 0, marked: 0 };
  for (const block of content) {
    if (isMarked(block)) totals.marked += 1;
    if (isBlock(block, "tool_result") && Array.isArray(block.content))
      totals.marked += block.content.filter(isMarked).length;
    for (const image of imagesIn(block)) {
      totals.images += 1;
      if (isWideAmongMany(image, limits.images)) totals.wide += 1;
    }
  }
  return totals;
}

function isMarked(block: ContentBlock): boolean {
  return "cache_control" in block;
}

/** Tells what is wrong with a block; where it stands is put into words only then. */
type ReportBlock = (rule: Rule, message: string, inner?: number) => void;

/** What is wrong with one block of a message, whatever stands beside it. */
function checkBlock(
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
