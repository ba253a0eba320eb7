import type { ContentBlock, ImageLimits, ModelRequest, RequestMessage } from "../../spec/index.ts";
import { isBlock } from "../../spec/index.ts";
import { isLegalCall } from "./block-repair.ts";
import { imageFault, imagesIn, isWideAmongMany } from "./image-facts.ts";

export type Rule =
  | "begins-with-user"
  | "roles-alternate"
  | "content-not-empty"
  | "text-not-empty"
  | "call-has-result"
  | "result-has-call"
  | "result-first"
  | "call-once"
  | "block-role"
  | "legal-call"
  | "well-formed"
  | "thinking-signed"
  | "thinking-bound"
  | "image-size"
  | "image-count"
  | "breakpoints";

/** One thing the API would refuse, and where. */
export interface Violation {
  readonly rule: Rule;
  /** Such as `messages[3].content[0]`. */
  readonly path: string;
  readonly message: string;
}

export interface RequestLimits {
  readonly images: ImageLimits;
  readonly maxBreakpoints: number;
}

type Report = (rule: Rule, path: string, message: string) => void;

/** What is counted over the whole request. */
export interface Totals {
  readonly images: number;
  /** Images that are too wide where there are many. */
  readonly wide: number;
  readonly marked: number;
}

/** Every violation of the API's rules, with its path. Pure. */
export function validate(
  request: Pick<ModelRequest, "messages" | "system" | "tools">,
  limits: RequestLimits,
): readonly Violation[] {
  const seen = new Set<string>();
  const totals = { images: 0, wide: 0, marked: 0 };
  const violations = request.messages.flatMap((message, index) => {
    const checked = checkMessage(request.messages, index, limits, (id) => seen.has(id));
    for (const block of message.content) if (isBlock(block, "tool_use")) seen.add(block.id);
    totals.images += checked.totals.images;
    totals.wide += checked.totals.wide;
    totals.marked += checked.totals.marked;
    return checked.violations;
  });
  return [...violations, ...checkTotals(request, totals, limits)];
}

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
  checkCalls(message, messages[index + 1], path, isKnownCall, report);
  checkResults(message, before, path, report);
  return { violations, totals: totalsOf(message, limits) };
}

function checkBlock(
  block: ContentBlock,
  role: RequestMessage["role"],
  path: string,
  limits: RequestLimits,
  report: Report,
): void {
  if (isBlock(block, "text")) {
    if (block.text.trim() === "") report("text-not-empty", path, "The text is empty.");
    if (!block.text.isWellFormed()) report("well-formed", path, "The text has a lone surrogate.");
  }
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
  const fault = imageFault(block, limits.images);
  if (fault !== null) report("image-size", path, `The image has ${fault}.`);
  if (isBlock(block, "tool_result") && Array.isArray(block.content)) {
    for (const [index, inner] of block.content.entries())
      checkBlock(inner, role, `${path}.content[${index}]`, limits, report);
  }
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

export function checkTotals(
  { system = [], tools = [] }: Pick<ModelRequest, "system" | "tools">,
  { images, wide, marked }: Totals,
  limits: RequestLimits,
): readonly Violation[] {
  const violations: Violation[] = [];
  const { maxCount, many } = limits.images;
  if (images > maxCount) {
    const message = `${images} images are over the ${maxCount} the API takes.`;
    violations.push({ rule: "image-count", path: "messages", message });
  }
  if (many && images > many.count && wide > 0) {
    const message = `${wide} of ${images} images have over ${many.maxSidePixels} pixels a side.`;
    violations.push({ rule: "image-size", path: "messages", message });
  }
  const breakpoints = marked + [...system, ...tools].filter((block) => "cache_control" in block).length;
  if (breakpoints > limits.maxBreakpoints) {
    const message = `${breakpoints} cache breakpoints are over ${limits.maxBreakpoints}.`;
    violations.push({ rule: "breakpoints", path: "request", message });
  }
  return violations;
}
