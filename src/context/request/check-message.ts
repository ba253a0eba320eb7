import type { RequestMessage } from "../../spec/index.ts";
import { isBlock } from "../../spec/index.ts";
import { checkBlock } from "./check-block.ts";
import { imagesIn, isWideAmongMany } from "./image-facts.ts";
import { hasMisplacedThinking } from "./thinking-place.ts";
import type { Report, RequestLimits, Totals, Violation } from "./violation.ts";

/** One message between its neighbours; `isKnownCall` tells which ids the messages before it call. */
export function checkMessage(
  messages: readonly RequestMessage[],
  index: number,
  limits: RequestLimits,
  isKnownCall: (id: string) => boolean,
): { readonly violations: readonly Violation[]; readonly totals: Totals } {
  const violations: Violation[] = [];
  const report: Report = (rule, path, message) => violations.push({ rule, path, message });
  const message = messages[index] as RequestMessage;
  const before = messages[index - 1];
  const path = `messages[${index}]`;
  if (index === 0 && message.role !== "user") {
    report("begins-with-user", path, "The first message is not the user's.");
  }
  if (before?.role === message.role)
    report("roles-alternate", path, `Two ${message.role} messages follow each other.`);
  if (message.content.length === 0) report("content-not-empty", path, "The message is empty.");
  for (const [at, block] of message.content.entries()) {
    checkBlock(block, message.role, `${path}.content[${at}]`, limits, report);
  }
  if (hasMisplacedThinking(message.content))
    report("thinking-first", path, "The message has thinking and does not begin with it.");
  checkCalls(message, messages[index + 1], path, isKnownCall, report);
  checkResults(message, before, path, report);
  return { violations, totals: totalsOf(message, limits) };
}

/** Every call has its result in the next message, once, and no id is called twice. */
function checkCalls(
  message: RequestMessage,
  next: RequestMessage | undefined,
  path: string,
  isKnownCall: (id: string) => boolean,
  report: Report,
): void {
  const own = new Set<string>();
  const results = new Map<string, number>();
  for (const block of next?.content ?? []) {
    if (isBlock(block, "tool_result"))
      results.set(block.tool_use_id, (results.get(block.tool_use_id) ?? 0) + 1);
  }
  for (const [index, block] of message.content.entries()) {
    if (!isBlock(block, "tool_use")) continue;
    const at = `${path}.content[${index}]`;
    if (isKnownCall(block.id) || own.has(block.id))
      report("call-once", at, `The id ${block.id} is called twice.`);
    own.add(block.id);
    const answers = results.get(block.id) ?? 0;
    if (answers !== 1)
      report("call-has-result", at, `The call ${block.id} has ${answers} results in the next message.`);
  }
}

/** Every result answers a call of the message before, and results stand first. */
function checkResults(
  message: RequestMessage,
  before: RequestMessage | undefined,
  path: string,
  report: Report,
): void {
  const calls = new Set(before?.content.flatMap((block) => (isBlock(block, "tool_use") ? block.id : [])));
  let hasOther = false;
  for (const [index, block] of message.content.entries()) {
    if (!isBlock(block, "tool_result")) {
      hasOther = true;
      continue;
    }
    const at = `${path}.content[${index}]`;
    if (!calls.has(block.tool_use_id))
      report("result-has-call", at, `No call ${block.tool_use_id} stands in the message before.`);
    if (hasOther) report("result-first", at, "A result stands behind other content.");
  }
}

function totalsOf({ content }: RequestMessage, limits: RequestLimits): Totals {
  const inner = content.flatMap((block) =>
    isBlock(block, "tool_result") && Array.isArray(block.content) ? block.content : [],
  );
  const all = [...content, ...inner];
  const images = content.flatMap(imagesIn);
  return {
    images: images.length,
    wide: images.filter((image) => isWideAmongMany(image, limits.images)).length,
    marked: all.filter((block) => "cache_control" in block).length,
  };
}
