import type { RequestContext, RequestViolation, WireBody } from "../wire.ts";
import { checkBetas } from "./check-betas.ts";
import { checkCacheControl } from "./check-cache-control.ts";
import { checkContextManagement } from "./check-context-management.ts";
import { checkImages } from "./check-images.ts";
import { checkMessages } from "./check-messages.ts";
import { checkParameters } from "./check-parameters.ts";
import { checkText } from "./check-text.ts";
import { checkThinkingConfig } from "./check-thinking-config.ts";
import { checkToolPairs } from "./check-tool-pairs.ts";
import { checkTools } from "./check-tools.ts";
import { checkUnicode } from "./check-unicode.ts";
import { type Report, reportInto } from "./report.ts";
import { contentOf, isRecord, referenceOf, toText, type WireBlock } from "./wire-values.ts";

/**
 * Every rule of the Messages API that a body breaks, the parameters first, then the parts in the order of the prompt.
 * Empty for a body the API takes. Stricter than the API in one thing: neighbours of one role are refused, not merged.
 * Knows nothing of the engine, so that it checks the engine instead of sharing its mistakes. Linear in the body.
 */
export function checkRequest(body: unknown, context: RequestContext): readonly RequestViolation[] {
  const violations: RequestViolation[] = [];
  const report = reportInto(violations);
  if (!isRecord(body)) {
    report("body-object", "", "Input should be a valid dictionary or object to extract fields from");
    return violations;
  }
  checkParameters(body, context, report);
  checkThinkingConfig(body, context, report);
  checkContextManagement(body, context, report);
  checkCompaction(body, context, report);
  checkBetas(body, context, report);
  checkTools(body, report);
  checkSystem(body.system, report);
  checkMessages(body.messages, report);
  checkToolPairs(body.messages, report);
  checkThinkingBlocks(body, report);
  checkImages(body.messages, context.capabilities.images, report);
  checkCacheControl(body, report);
  checkCacheEdits(body, context, report);
  checkUnicode(body, report);
  return violations;
}

/** The system prompt: a string, or text blocks with something in them. */
function checkSystem(system: unknown, report: Report): void {
  if (system === undefined || typeof system === "string") return;
  if (!Array.isArray(system)) {
    report("system", "system", "Input should be a valid list");
    return;
  }
  for (const [index, block] of system.entries()) {
    const path = `system.${index}`;
    if (!isRecord(block)) report("system", path, "Input should be a valid dictionary");
    else if (block.type !== "text") report("system", `${path}.type`, "Input should be 'text'");
    else checkText(block, path, report);
  }
}

/**
 * `cache_edits` blocks: `{type: "cache_edits", edits: [{type: "delete", cache_reference}]}`, each edit naming a result
 * in front of the block that no other one deletes. They are in no public API, and neither is `cache_reference`: other
 * models refuse both. Whether the result is cached is a question for the cache.
 */
function checkCacheEdits({ messages }: WireBody, { capabilities }: RequestContext, report: Report): void {
  if (!Array.isArray(messages)) return;
  const results = new Set<string>();
  const deleted = new Set<string>();
  for (const [index, message] of messages.entries()) {
    for (const [at, block] of contentOf(message).entries()) {
      const path = `messages.${index}.content.${at}`;
      if (block.type === "tool_result") {
        if (block.cache_reference !== undefined && !capabilities.cacheEdits)
          report("beta", `${path}.tool_result.cache_reference`, "Extra inputs are not permitted");
        results.add(referenceOf(block));
      }
      if (block.type !== "cache_edits") continue;
      if (!capabilities.cacheEdits)
        report("beta", path, "`cache_edits` blocks are not supported by this model");
      else checkEdits(block, path, { results, deleted }, report);
    }
  }
}

interface SeenResults {
  readonly results: ReadonlySet<string>;
  readonly deleted: Set<string>;
}

function checkEdits(
  { edits }: WireBlock,
  path: string,
  { results, deleted }: SeenResults,
  report: Report,
): void {
  const say = (at: string, sentence: string) => report("cache-edits", at, sentence);
  if (!Array.isArray(edits) || edits.length === 0) {
    say(`${path}.edits`, "Input should be a list with at least 1 item");
    return;
  }
  for (const [index, edit] of edits.entries()) {
    const at = `${path}.edits.${index}`;
    const reference = isRecord(edit) ? edit.cache_reference : undefined;
    if (!isRecord(edit) || edit.type !== "delete") say(at, "Input should be an edit of type 'delete'");
    else if (typeof reference !== "string") say(`${at}.cache_reference`, "Input should be a valid string");
    else if (!results.has(reference))
      say(at, `no \`tool_result\` in front of this block has the cache reference \`${reference}\``);
    else if (deleted.has(reference)) say(at, `the \`tool_result\` \`${reference}\` is deleted already`);
    else deleted.add(reference);
  }
}

/** Compaction on demand: what may not stand beside it, and where a signed block it made may be replayed. */
function checkCompaction(body: WireBody, { capabilities }: RequestContext, report: Report): void {
  const say = (path: string, sentence: string) => report("compaction", path, sentence);
  checkPlaces(body.messages, say);
  const { compaction } = body;
  if (compaction === undefined || compaction === null) return;
  if (!isRecord(compaction) || compaction.type !== "summarize") {
    say("compaction", "Input tag found using 'type' does not match any of the expected tags: 'summarize'");
    return;
  }
  if (!capabilities.nativeCompaction) say("compaction", "compaction is not supported by this model");
  const { instructions } = compaction;
  if (instructions !== undefined && instructions !== null && typeof instructions !== "string")
    say("compaction.instructions", "Input should be a valid string");
  const beside = companions(body);
  if (beside !== null) say("compaction", `compaction cannot be combined with \`${beside}\``);
  if (isSummedUp(body.messages)) say("messages", "there is nothing to summarize");
  if (isInTurn(body.messages))
    say("messages", "the conversation to compact ends on a turn that is not finished");
}

function companions(body: WireBody): string | null {
  const isGiven = (value: unknown) => value !== undefined && value !== null;
  if (isGiven(body.context_management)) return "context_management";
  if (Array.isArray(body.stop_sequences) && body.stop_sequences.length > 0) return "stop_sequences";
  if (isGiven(body.output_format)) return "output_format";
  if (isRecord(body.output_config) && isGiven(body.output_config.format)) return "output_config.format";
  const choice = isRecord(body.tool_choice) ? body.tool_choice.type : undefined;
  return choice === "any" || choice === "tool" ? "tool_choice" : null;
}

/** A conversation that is nothing but the summary of one. */
function isSummedUp(messages: unknown): boolean {
  const content = Array.isArray(messages) ? messages.flatMap(contentOf) : [];
  return content.length > 0 && content.every(({ type }) => type === "compaction");
}

function isInTurn(messages: unknown): boolean {
  const content = contentOf(Array.isArray(messages) ? messages.at(-1) : undefined);
  return content.some(({ type }) => type === "tool_use" || type === "tool_result");
}

function checkPlaces(messages: unknown, say: (path: string, sentence: string) => void): void {
  if (!Array.isArray(messages)) return;
  let signed = 0;
  for (const [index, message] of messages.entries()) {
    for (const [at, { type, signature }] of contentOf(message).entries()) {
      if (type !== "compaction" || typeof signature !== "string") continue;
      signed += 1;
      if (signed === 1 && (index > 0 || at > 0))
        say(
          `messages.${index}.content.${at}`,
          "the `compaction` block is not the first block of the conversation",
        );
      if (signed === 2) say("messages", "`messages` holds more than one `compaction` block with content");
    }
  }
}

/** Where thinking may stand in messages. Whether its bytes are right is `checkThinking`'s question. */
function checkThinkingBlocks({ messages, thinking }: WireBody, report: Report): void {
  if (!Array.isArray(messages)) return;
  let last = -1;
  for (const [index, message] of messages.entries()) {
    if (!isRecord(message) || message.role !== "assistant") continue;
    last = index;
    checkOrder(contentOf(message), `messages.${index}`, report);
  }
  if (last === -1) return;
  const content = contentOf(messages[last]);
  if (content.length > 0 && isThinking(content[content.length - 1]))
    report(
      "thinking-last",
      `messages.${last}`,
      `The final block in an assistant message cannot be \`${toText(content.at(-1)?.type)}\`.`,
    );
  if (isRecord(thinking) && thinking.type === "enabled") checkTurn(messages, last, report);
}

/** A message that has thinking begins with it; only what the server did itself may stand before. */
function checkOrder(content: readonly WireBlock[], path: string, report: Report): void {
  if (!content.some(isThinking)) return;
  const at = content.findIndex((block) => isThinking(block) || isModelsOwn(block));
  const first = content[at];
  if (!first || isThinking(first)) return;
  report(
    "thinking-first",
    `${path}.content.${at}.type`,
    `If an assistant message contains any thinking blocks, the first block must be \`thinking\` or \`redacted_thinking\`. Found \`${toText(first.type)}\`.`,
  );
}

function isModelsOwn({ type }: WireBlock): boolean {
  return type === "text" || type === "tool_use";
}

/**
 * While a prompt ends in a prefill or in results of tools, the assistant's turn goes on, and with thinking enabled
 * its first message begins with thinking. A turn begins behind the last user message that holds no results.
 */
function checkTurn(messages: readonly unknown[], last: number, report: Report): void {
  const isOpen =
    last === messages.length - 1 || contentOf(messages[last]).some(({ type }) => type === "tool_use");
  if (!isOpen) return;
  let first = last;
  for (let index = last - 1; index >= 0; index -= 1) {
    const message = messages[index];
    if (!isRecord(message)) break;
    if (message.role === "assistant") first = index;
    else if (message.role === "user" && !contentOf(message).some(({ type }) => type === "tool_result")) break;
  }
  const block = contentOf(messages[first])[0];
  if (!block || isThinking(block) || block.type === "compaction") return;
  report(
    "thinking-turn",
    `messages.${first}.content.0.type`,
    `Expected \`thinking\` or \`redacted_thinking\`, but found \`${toText(block.type)}\`. When \`thinking\` is enabled, a final \`assistant\` message must start with a thinking block (preceeding the lastmost set of \`tool_use\` and \`tool_result\` blocks).`,
  );
}

function isThinking(block: WireBlock | undefined): boolean {
  return block?.type === "thinking" || block?.type === "redacted_thinking";
}
