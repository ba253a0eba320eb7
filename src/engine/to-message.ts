import { blockFault } from "../context/projection/sound-message.ts";
import { normalizeToolInput } from "../context/request/normalize-tool-input.ts";
import { wellFormedBlock } from "../context/well-formed.ts";
import { withoutMarkers } from "../context/without-markers.ts";
import {
  type ContentBlock,
  fail,
  isBlock,
  type Message,
  type MessageInput,
  ok,
  type Result,
  type ToolDefinition,
} from "../spec/index.ts";
import { toUsage } from "./to-usage.ts";

/**
 * The message an input becomes in the log, settled at append: a copy, text well-formed, results before everything
 * else, inputs of calls in the types their tools ask for, no cache markers. Wrong shapes are refused with the path of
 * what is wrong; blocks of unknown types pass through.
 */
export function toMessage(input: MessageInput, tools: readonly ToolDefinition[] = []): Result<Message> {
  if (typeof input !== "object" || input === null)
    return refused("message", "an object with role and content", input);
  const copied = copyOf(input);
  if (!copied.ok) return copied;
  const {
    role,
    content,
    id,
    at: _at,
    usage: _usage,
    model,
    stopReason,
    contextManagement,
    ...rest
  } = copied.value;
  if (role !== "user" && role !== "assistant") return refused("role", "“user” or “assistant”", role);
  for (const [path, value] of Object.entries({ id, model, stopReason })) {
    if (value !== undefined && value !== null && typeof value !== "string")
      return refused(path, "a string", value);
  }
  const blocks = toContent(content, tools);
  if (!blocks.ok) return blocks;
  const measured = role === "assistant" ? toUsage(input.usage) : ok(undefined);
  if (!measured.ok) return measured;
  return ok({
    ...rest,
    type: role,
    content: blocks.value,
    ...(id && { responseId: id }),
    ...(model && { model }),
    ...(stopReason !== undefined && { stopReason }),
    ...(contextManagement && { contextManagement }),
    ...(measured.value && { usage: measured.value }),
  });
}

/** Values are walked through by recursion, here and by every reader of the log. */
const maxDepth = 500;

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((inner) => isDeeper(inner, depth - 1));
}

/** As the log will hold it: what a caller does to his objects later changes nothing. */
function copyOf(input: MessageInput): Result<MessageInput> {
  try {
    const copy = JSON.parse(JSON.stringify(input)) as MessageInput;
    if (isDeeper(copy, maxDepth)) throw new RangeError(`It is nested more than ${maxDepth} deep.`);
    return ok(copy);
  } catch (cause) {
    return fail("invalid-input", "The message cannot be written as JSON.", {
      path: "message",
      cause,
      fix: "Remove cycles and BigInts, and nest values less deeply.",
    });
  }
}

function toContent(
  content: unknown,
  tools: readonly ToolDefinition[],
): Result<string | readonly ContentBlock[]> {
  if (typeof content === "string") return content.trim() === "" ? empty() : ok(content.toWellFormed());
  if (!Array.isArray(content)) return refused("content", "a string or an array of blocks", content);
  for (const [index, block] of content.entries()) {
    const fault = blockFault(block);
    if (fault === null) continue;
    const { field, expected } = fault;
    const at = `content[${index}]`;
    if (field === undefined) return refused(at, expected, block);
    return refused(`${at}.${field}`, expected, (block as Record<string, unknown>)[field]);
  }
  const isBlank = (block: ContentBlock) => isBlock(block, "text") && block.text.trim() === "";
  if (content.every(isBlank)) return empty();
  const blocks = (content as readonly ContentBlock[]).map((block) =>
    normalized(wellFormedBlock(withoutMarkers(block)), tools),
  );
  const isResult = (block: ContentBlock) => isBlock(block, "tool_result");
  return ok([...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))]);
}

function normalized(block: ContentBlock, tools: readonly ToolDefinition[]): ContentBlock {
  if (!isBlock(block, "tool_use")) return block;
  const schema = tools.find(({ name }) => name === block.name)?.input_schema;
  const input = normalizeToolInput(block.input, schema);
  return input === block.input ? block : { ...block, input };
}

function empty(): Result<never> {
  return fail("invalid-input", "The message is empty.", {
    path: "content",
    fix: "Add a message that says something.",
  });
}

function refused(path: string, expected: string, got: unknown): Result<never> {
  const shown = got === undefined ? "nothing" : show(got);
  return fail("invalid-input", `${path}: expected ${expected}, got ${shown}.`, {
    path,
    fix: "Give messages in the shape of the Anthropic Messages API.",
  });
}

function show(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 60);
  } catch {
    return `a ${typeof value}`;
  }
}
