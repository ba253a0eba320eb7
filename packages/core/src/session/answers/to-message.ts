import { isFilledText, wellFormedBlock } from "../../json/json-values.ts";
import {
  type ContentBlock,
  fail,
  isBlock,
  type Message,
  type MessageInput,
  ok,
  type Result,
  type ToolDefinition,
} from "../../spec/index.ts";
import { blockFault, invalidBlockText } from "../../view/projection/valid-entry.ts";
import { withoutMarkers } from "../../view/request/breakpoints.ts";
import { normalizeToolInput } from "../../view/request/normalize-tool-input.ts";
import { isDeeper, maxDepth, recordableContent, recordableFields } from "./recordable-answer.ts";
import { toUsage } from "./to-usage.ts";

/** Of an answer as the official SDK gives it. */
interface SdkFields {
  readonly stop_reason?: Message["stopReason"];
  readonly context_management?: NonNullable<Message["contextManagement"]> | null;
}

/**
 * The message an input becomes in the log, settled at append: a copy, text well-formed, results before everything
 * else, inputs of calls in the types their tools ask for, no cache markers. Of a user, wrong shapes are refused with the
 * path of what is wrong; blocks of unknown types pass through. What the assistant says came from a server, and is taken
 * whatever it is: nothing, blocks of a wrong shape (they are sent as text that shows them), values nested too deeply (texts
 * that say so are in their place), a usage that cannot be.
 */
export function toMessage(input: MessageInput, tools: readonly ToolDefinition[] = []): Result<Message> {
  if (typeof input !== "object" || input === null)
    return refuse("message", "an object with role and content", input);
  const copied = copyOf(input);
  if (!copied.ok) return copied;
  const {
    role,
    content,
    id,
    at: _at,
    usage,
    model,
    stop_reason,
    stopReason = stop_reason,
    context_management,
    contextManagement = context_management,
    ...rest
  } = copied.value as MessageInput & SdkFields;
  if (role !== "user" && role !== "assistant")
    return refuse("role", "“user” or “assistant”", role, otherRoles);
  const isAnswer = role === "assistant";
  const names = { id, model, stopReason };
  for (const [path, value] of isAnswer ? [] : Object.entries(names)) {
    if (value !== undefined && value !== null && typeof value !== "string")
      return refuse(path, "a string", value);
  }
  const blocks = toContent(isAnswer ? answerContent(content) : content, tools, isAnswer);
  if (!blocks.ok) return blocks;
  if (!isAnswer && isEmpty(blocks.value)) return refuseEmpty();
  const isManaged = typeof contextManagement === "object" && contextManagement !== null;
  return ok({
    ...rest,
    type: role,
    content: blocks.value,
    ...(isFilledText(id) && { responseId: id }),
    ...(isFilledText(model) && { model }),
    ...((typeof stopReason === "string" || stopReason === null) && { stopReason }),
    ...(isManaged && { contextManagement }),
    ...(isAnswer && measured(input.usage, usage)),
  });
}

/** An answer has a list of blocks or a text, whatever a server gave; what is no block at all is a text that shows it. */
function answerContent(content: unknown): unknown {
  if (typeof content === "string") return content;
  if (content === undefined || content === null) return [];
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return blocks.map((block) =>
    typeof (block as { readonly type?: unknown } | null)?.type === "string" ? block : invalidBlockText(block),
  );
}

/** Usage that is none is kept as it came, for whoever tells of it. */
function measured(given: unknown, copied: unknown): Pick<Message, "usage" | "reportedUsage"> {
  const usage = toUsage(given);
  if (!usage.ok) return { reportedUsage: copied ?? String(given) };
  return usage.value ? { usage: usage.value } : {};
}

/** As the log will hold it: what a caller does to his objects later changes nothing. */
function copyOf(input: MessageInput): Result<MessageInput> {
  try {
    const json = JSON.stringify(input.role === "assistant" ? recordable(input) : input);
    if (json.length > maxMessageChars) return tooLong(json.length);
    const copy = JSON.parse(json) as MessageInput;
    /** Every level has two brackets. */
    const mayBeDeep = json.length > 2 * maxDepth;
    if (mayBeDeep && isDeeper(copy, maxDepth))
      throw new RangeError(`It is nested more than ${maxDepth} deep.`);
    return ok(copy);
  } catch (cause) {
    if (cause instanceof RangeError && cause.message === "Invalid string length") return tooLong();
    return fail("invalid-input", "The message cannot be written as JSON.", {
      path: "message",
      cause,
      fix: `Remove cycles and BigInts, and nest values at most ${maxDepth} deep.`,
    });
  }
}

/** What came from a server is paid for: what cannot be recorded as it came is recorded as text that says so. */
function recordable(answer: MessageInput): MessageInput {
  if (!isDeeper(answer, maxDepth) || isEndless(answer)) return answer;
  return {
    ...recordableFields(answer),
    content: recordableContent(answer.content) as MessageInput["content"],
  };
}

/** Whether a value holds itself: no server sends such a thing. */
function isEndless(value: unknown): boolean {
  try {
    JSON.stringify(value);
    return false;
  } catch (cause) {
    return cause instanceof TypeError;
  }
}

/** Of a message as JSON; a log is read by lines of twice as many bytes. */
const maxMessageChars = 128 * 1024 * 1024;

function tooLong(chars?: number): Result<never> {
  const has = chars === undefined ? "more characters than can be counted" : `${chars} characters`;
  return fail("too-large", `The message has ${has} as JSON; at most ${maxMessageChars} are taken.`, {
    path: "message",
    fix: "Add it in several messages, or put it into a file and name its path.",
    facts: { maxChars: maxMessageChars },
  });
}

function toContent(
  content: unknown,
  tools: readonly ToolDefinition[],
  isAnswer: boolean,
): Result<Message["content"]> {
  if (typeof content === "string") return ok(content.toWellFormed());
  if (!Array.isArray(content)) return refuse("content", "a string or an array of blocks", content);
  for (const [index, block] of content.entries()) {
    const fault = blockFault(block);
    if (fault === null || isAnswer) continue;
    const { field, expected } = fault;
    const at = `content[${index}]`;
    if (field === undefined) return refuse(at, expected, block);
    return refuse(`${at}.${field}`, expected, (block as Record<string, unknown>)[field]);
  }
  const blocks = (content as readonly ContentBlock[]).map((block) =>
    blockFault(block) === null ? normalizeBlock(wellFormedBlock(withoutMarkers(block)), tools) : block,
  );
  const isResult = (block: ContentBlock) => blockFault(block) === null && isBlock(block, "tool_result");
  return ok([...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))]);
}

function isEmpty(content: Message["content"]): boolean {
  if (typeof content === "string") return content.trim() === "";
  return content.every((block) => isBlock(block, "text") && block.text.trim() === "");
}

function normalizeBlock(block: ContentBlock, tools: readonly ToolDefinition[]): ContentBlock {
  if (!isBlock(block, "tool_use")) return block;
  const schema = tools.find(({ name }) => name === block.name)?.input_schema;
  const input = normalizeToolInput(block.input, schema);
  return input === block.input ? block : { ...block, input };
}

function refuseEmpty(): Result<never> {
  return fail("invalid-input", "The message is empty.", {
    path: "content",
    fix: "Add a message that says something.",
  });
}

const otherRoles =
  "Messages are the user's or the assistant's: give the system prompt to openSession as “system”, results of tools as blocks of type “tool_result” in a message of the user, and notices to session.attach.";

function refuse(
  path: string,
  expected: string,
  got: unknown,
  fix = "Give messages in the shape of the Anthropic Messages API.",
): Result<never> {
  const shown = got === undefined ? "nothing" : show(got);
  return fail("invalid-input", `${path}: expected ${expected}, got ${shown}.`, { path, fix });
}

function show(value: unknown): string {
  try {
    return (JSON.stringify(value) ?? String(value)).slice(0, 60);
  } catch {
    return `a ${typeof value}`;
  }
}
