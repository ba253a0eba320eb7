import { isWellFormedBlock, isWellFormedValue } from "../../json/json-values.ts";
import { type ContentBlock, isBlock, type ModelRequest, type RequestMessage } from "../../spec/index.ts";
import { isLegalCall, isLegalInResult, legalToolName } from "./answer-repair.ts";
import { imageFault, imagesIn, isWideAmongMany } from "./media-facts.ts";
import { isSignedBlock } from "./native-block.ts";
import { isLegalId } from "./request-ids.ts";
import {
  hasMisplacedThinking,
  isThinkingBlock,
  type Report,
  type RequestLimits,
  type Rule,
  type Totals,
  type Violation,
} from "./violation.ts";

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

/** Problems of one block of a message, whatever stands beside it. */
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

/** Calls and results of a message, between its neighbours. */
interface LinkedMessage {
  readonly index: number;
  readonly links: MessageLinks;
  readonly before: MessageLinks | undefined;
  readonly next: MessageLinks | undefined;
  /** Whether a message before it calls with an id. */
  readonly isKnownCall: (id: string) => boolean;
}

export function checkLinks(linked: LinkedMessage): readonly Violation[] {
  const violations: Violation[] = [];
  const report: Report = (rule, path, message) => violations.push({ rule, path, message });
  checkCalls(linked, report);
  checkResults(linked, report);
  return violations;
}

/** Every call has its result in the next message, once, and no id is called twice. */
function checkCalls({ index, links, next, isKnownCall }: LinkedMessage, report: Report): void {
  const own = new Set<string>();
  const answers = new Map<string | null, number>();
  for (const id of next?.results ?? []) answers.set(id, (answers.get(id) ?? 0) + 1);
  for (const [at, id] of links.calls.entries()) {
    if (id === null) continue;
    const path = `messages[${index}].content[${at}]`;
    if (isKnownCall(id) || own.has(id)) report("call-once", path, `The id ${id} is called twice.`);
    own.add(id);
    const count = answers.get(id) ?? 0;
    if (count !== 1)
      report("call-has-result", path, `The call ${id} has ${count} results in the next message.`);
  }
}

/** Every result answers a call of the message before, and results stand first. */
function checkResults({ index, links, before }: LinkedMessage, report: Report): void {
  const calls = new Set(before?.calls);
  let hasOther = false;
  for (const [at, id] of links.results.entries()) {
    if (id === null) {
      hasOther = true;
      continue;
    }
    const path = `messages[${index}].content[${at}]`;
    if (!calls.has(id)) report("result-has-call", path, `No call ${id} stands in the message before.`);
    if (hasOther) report("result-first", path, "A result stands behind other content.");
  }
}

/** The part of a request that rules speak of. */
export type CheckedRequest = Pick<ModelRequest, "messages" | "system" | "tools" | "thinking">;

/** Problems of a request besides those of its single messages: the head, the newest turn, and the totals. */
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

/** All that messages are to their neighbours: while it is the same, the neighbours need no second look. */
export interface MessageLinks {
  readonly role: RequestMessage["role"];
  /** By block: the id it calls; `null` for blocks that call nothing. */
  readonly calls: readonly (string | null)[];
  /** By block: the id it answers; `null` for blocks that answer nothing. */
  readonly results: readonly (string | null)[];
}

export function linksOf({ role, content }: RequestMessage): MessageLinks {
  return { role, calls: content.map(callOf), results: content.map(resultOf) };
}

const callOf = (block: ContentBlock) => (isBlock(block, "tool_use") ? block.id : null);
const resultOf = (block: ContentBlock) => (isBlock(block, "tool_result") ? block.tool_use_id : null);

/** Whether a message is, to its neighbours, what another one was. */
export function hasLinks({ role, content }: RequestMessage, links: MessageLinks): boolean {
  if (role !== links.role || content.length !== links.calls.length) return false;
  for (let at = 0; at < content.length; at += 1) {
    const block = content[at] as ContentBlock;
    if (callOf(block) !== links.calls[at] || resultOf(block) !== links.results[at]) return false;
  }
  return true;
}
