import type { RequestMessage } from "../../spec/index.ts";
import { isBlock } from "../../spec/index.ts";
import { isSignedBlock } from "../compaction/native-block.ts";
import { checkBlock } from "./check-block.ts";
import { imagesIn, isWideAmongMany } from "./image-facts.ts";
import { hasMisplacedThinking } from "./thinking-place.ts";
import type { Report, RequestLimits, Totals, Violation } from "./violation.ts";

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
  const report: Report = (rule, path, message) => violations.push({ rule, path, message });
  const message = messages[index] as RequestMessage;
  const path = `messages[${index}]`;
  if (index === 0 && message.role !== "user" && message.content[0]?.type !== "compaction") {
    report("begins-with-user", path, "The first message is not the user's.");
  }
  if (messages[index - 1]?.role === message.role)
    report("roles-alternate", path, `Two ${message.role} messages follow each other.`);
  if (message.content.length === 0) report("content-not-empty", path, "The message is empty.");
  for (const [at, block] of message.content.entries()) {
    checkBlock(block, message.role, `${path}.content[${at}]`, limits, report);
    if (isSignedBlock(block) && (index > 0 || at > 0))
      report(
        "compaction-first",
        `${path}.content[${at}]`,
        "A signed compaction block is not the first block.",
      );
  }
  if (hasMisplacedThinking(message.content))
    report("thinking-first", path, "The message has thinking and does not begin with it.");
  return { violations, totals: totalsOf(message, limits) };
}

function totalsOf({ content }: RequestMessage, limits: RequestLimits): Totals {
  const totals = { images: 0, wide: 0, marked: 0 };
  for (const block of content) {
    const inner = isBlock(block, "tool_result") && Array.isArray(block.content) ? block.content : [];
    const images = imagesIn(block);
    totals.images += images.length;
    totals.wide += images.filter((image) => isWideAmongMany(image, limits.images)).length;
    totals.marked += [block, ...inner].filter((one) => "cache_control" in one).length;
  }
  return totals;
}
