import { isBlock, type ModelRequest, type RequestMessage } from "../../spec/index.ts";
import { isWellFormedValue } from "../well-formed.ts";
import { legalToolName } from "./block-repair.ts";
import { isThinkingBlock } from "./thinking-location.ts";
import type { Report, RequestLimits, Totals, Violation } from "./violation.ts";

/** The part of a request that rules speak of. */
export type CheckedRequest = Pick<ModelRequest, "messages" | "system" | "tools" | "thinking">;

/** What is wrong with a request besides its single messages: the head, the newest turn, and what is counted. */
export function checkWhole(
  request: CheckedRequest,
  totals: Totals,
  limits: RequestLimits,
): readonly Violation[] {
  const violations: Violation[] = [];
  const report: Report = (rule, path, message) => violations.push({ rule, path, message });
  checkHead(request, report);
  checkNewest(request, report);
  checkTotals(request, totals, limits, report);
  return violations;
}

/** Definitions and prompts that were found well-formed: they come again with every request. */
const wellFormed = new WeakSet<object>();

function isKnownWellFormed(value: object): boolean {
  if (wellFormed.has(value)) return true;
  if (!isWellFormedValue(value)) return false;
  wellFormed.add(value);
  return true;
}

function checkHead({ system = [], tools = [] }: CheckedRequest, report: Report): void {
  for (const [index, block] of system.entries()) {
    const path = `system[${index}]`;
    if (block.text.trim() === "") report("text-not-empty", path, "The text is empty.");
    if (!isKnownWellFormed(block)) report("well-formed", path, "It has a lone surrogate.");
  }
  const names = new Set<string>();
  for (const [index, tool] of tools.entries()) {
    const path = `tools[${index}]`;
    if (!legalToolName.test(tool.name)) report("legal-tool", path, `“${tool.name}” is not a legal name.`);
    if (names.has(tool.name)) report("legal-tool", path, `There are two tools named ${tool.name}.`);
    names.add(tool.name);
    if (!isKnownWellFormed(tool)) report("well-formed", path, "It has a lone surrogate.");
  }
}

/** The newest message of the assistant cannot end with thinking; with thinking enabled its turn begins with it. */
function checkNewest({ messages, thinking }: CheckedRequest, report: Report): void {
  const last = messages.findLastIndex(({ role }) => role === "assistant");
  const message = messages[last];
  if (!message) return;
  const path = `messages[${last}]`;
  const end = message.content.at(-1);
  if (end && isThinkingBlock(end)) report("thinking-last", path, "The message ends with thinking.");
  const isEnabled = (thinking as { readonly type?: unknown } | undefined)?.type === "enabled";
  if (!isEnabled || !message.content.some((block) => isBlock(block, "tool_use"))) return;
  const first = messages[turnStart(messages, last)]?.content[0];
  if (first && !isThinkingBlock(first) && (isBlock(first, "text") || isBlock(first, "tool_use")))
    report("thinking-turn", path, "Thinking is enabled, and the turn did not begin with thinking.");
}

/** The first message of the assistant behind the last message of the user that holds no results. */
function turnStart(messages: readonly RequestMessage[], last: number): number {
  let first = last;
  for (let index = last - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (message?.role === "assistant") first = index;
    else if (!message?.content.some((block) => isBlock(block, "tool_result"))) break;
  }
  return first;
}

function checkTotals(
  { system = [], tools = [] }: CheckedRequest,
  { images, wide, marked }: Totals,
  limits: RequestLimits,
  report: Report,
): void {
  const { maxCount, many } = limits.images;
  if (images > maxCount) {
    const message = `${images} images are over the ${maxCount} the API takes.`;
    report("image-count", "messages", message);
  }
  if (many && images > many.count && wide > 0) {
    const message = `${wide} of ${images} images have over ${many.maxSidePixels} pixels a side.`;
    report("image-size", "messages", message);
  }
  const breakpoints = marked + [...system, ...tools].filter((block) => "cache_control" in block).length;
  if (breakpoints > limits.maxBreakpoints) {
    const message = `${breakpoints} cache breakpoints are over ${limits.maxBreakpoints}.`;
    report("breakpoints", "request", message);
  }
}
