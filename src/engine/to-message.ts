import { normalizeToolInput } from "../context/request/normalize-tool-input.ts";
import { wellFormedBlock } from "../context/well-formed.ts";
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

/**
 * The message an input becomes in the log, settled at append: text is well-formed, results stand before everything
 * else, inputs of calls have the types their tools ask for. Wrong shapes are refused with the path of what is wrong; blocks of unknown types pass through.
 */
export function toMessage(input: MessageInput, tools: readonly ToolDefinition[] = []): Result<Message> {
  if (typeof input !== "object" || input === null)
    return refused("message", "an object with role and content", input);
  const { role, content, id, at: _at, ...rest } = input;
  if (role !== "user" && role !== "assistant") return refused("role", "“user” or “assistant”", role);
  const blocks = toContent(content, tools);
  if (!blocks.ok) return blocks;
  return ok({ ...rest, type: role, content: blocks.value, ...(id !== undefined && { responseId: id }) });
}

function toContent(
  content: unknown,
  tools: readonly ToolDefinition[],
): Result<string | readonly ContentBlock[]> {
  if (typeof content === "string") return content === "" ? empty() : ok(content.toWellFormed());
  if (!Array.isArray(content)) return refused("content", "a string or an array of blocks", content);
  if (content.length === 0) return empty();
  for (const [index, block] of content.entries()) {
    const wrong = wrongBlock(block, `content[${index}]`);
    if (wrong) return wrong;
  }
  const blocks = (content as readonly ContentBlock[]).map((block) =>
    normalized(wellFormedBlock(block), tools),
  );
  const isResult = (block: ContentBlock) => isBlock(block, "tool_result");
  return ok([...blocks.filter(isResult), ...blocks.filter((block) => !isResult(block))]);
}

/** The fields that make a block what it says it is. */
const required: Readonly<Record<string, readonly (readonly [string, "string" | "object" | "any"])[]>> = {
  text: [["text", "string"]],
  thinking: [["thinking", "string"]],
  redacted_thinking: [["data", "string"]],
  tool_use: [
    ["id", "string"],
    ["name", "string"],
    ["input", "any"],
  ],
  tool_result: [["tool_use_id", "string"]],
  image: [["source", "object"]],
  document: [["source", "object"]],
};

function wrongBlock(block: unknown, path: string): Result<never> | null {
  if (typeof block !== "object" || block === null) return refused(path, "a block", block);
  const fields = block as Record<string, unknown>;
  if (typeof fields.type !== "string") return refused(`${path}.type`, "a string", fields.type);
  for (const [name, type] of required[fields.type] ?? []) {
    const value = fields[name];
    const isRight =
      type === "any"
        ? value !== undefined
        : type === "object"
          ? typeof value === "object" && value !== null
          : typeof value === type;
    if (!isRight)
      return refused(
        `${path}.${name}`,
        type === "any" ? "a value" : type === "object" ? "an object" : "a string",
        value,
      );
  }
  return null;
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
  const shown = got === undefined ? "nothing" : JSON.stringify(got)?.slice(0, 60);
  return fail("invalid-input", `${path}: expected ${expected}, got ${shown}.`, {
    path,
    fix: "Give messages in the shape of the Anthropic Messages API.",
  });
}
