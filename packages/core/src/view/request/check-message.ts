import { type ContentBlock, isBlock, type RequestMessage } from "../../spec/index.ts";
import { checkBlock } from "./check-block.ts";
import { imagesIn, isWideAmongMany } from "./image-facts.ts";
import { isSignedBlock } from "./native-block.ts";
import { hasMisplacedThinking } from "./thinking-place.ts";
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
