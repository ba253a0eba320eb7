import { isRecord, type JsonObject, numberField, textField } from "../../json/json-values.ts";
import type { ContentBlock, Message, Usage } from "../../spec/index.ts";

interface KeptContent {
  readonly content: string | readonly ContentBlock[];
  readonly unsignedThinking: number;
}

/**
 * Message content as it was recorded, without unsigned thinking; or the reason why it cannot be message content.
 * An empty list is fine: the entry still carries its response's usage.
 */
export function readContent(content: unknown): KeptContent | { readonly problem: string } {
  const kept = Array.isArray(content) ? content.filter((block) => !isUnsignedThinking(block)) : content;
  const problem = contentProblem(kept);
  if (problem !== undefined) return { problem };
  const unsignedThinking = Array.isArray(content) && Array.isArray(kept) ? content.length - kept.length : 0;
  return { content: kept as KeptContent["content"], unsignedThinking };
}

function isUnsignedThinking(block: unknown): boolean {
  if (!isRecord(block) || block.type !== "thinking") return false;
  return block.signature === undefined || block.signature === null || block.signature === "";
}

/** Fields a known block must have, as text. */
const textFields: Readonly<Record<string, readonly string[]>> = {
  text: ["text"],
  thinking: ["thinking", "signature"],
  redacted_thinking: ["data"],
  tool_use: ["id", "name"],
  tool_result: ["tool_use_id"],
};
const mediaTypes: ReadonlySet<string> = new Set(["image", "document"]);

function contentProblem(content: unknown): string | undefined {
  if (typeof content === "string") return undefined;
  if (!Array.isArray(content)) return "its content is neither text nor a list of blocks";
  for (const [index, block] of content.entries()) {
    const problem = isRecord(block) ? blockProblem(block) : "is not an object";
    if (problem !== undefined) return `its block ${index} ${problem}`;
  }
  return undefined;
}

function blockProblem(block: JsonObject): string | undefined {
  const { type } = block;
  if (typeof type !== "string") return "has no type";
  const required = Object.hasOwn(textFields, type) ? textFields[type] : undefined;
  const wrong = required?.find((field) => typeof block[field] !== "string");
  if (wrong !== undefined) return `(${type}) has no text as “${wrong}”`;
  if (mediaTypes.has(type) && !isRecord(block.source)) return `(${type}) has no source`;
  if (type !== "tool_result" || block.content === undefined) return undefined;
  const inner = contentProblem(block.content);
  return inner === undefined ? undefined : `(tool_result): ${inner}`;
}

/** Usage in the words of the Messages API, or of the chat completions API. */
export function readUsage(recorded: unknown): Usage | undefined {
  if (!isRecord(recorded)) return undefined;
  return "prompt_tokens" in recorded ? chatUsage(recorded) : messagesUsage(recorded);
}

function messagesUsage(recorded: JsonObject): Usage {
  const split = recorded.cache_creation;
  return {
    input: numberField(recorded, "input_tokens"),
    output: numberField(recorded, "output_tokens"),
    cacheRead: numberField(recorded, "cache_read_input_tokens"),
    cacheCreation: numberField(recorded, "cache_creation_input_tokens"),
    ...(isRecord(split) && {
      cacheCreation5m: numberField(split, "ephemeral_5m_input_tokens"),
      cacheCreation1h: numberField(split, "ephemeral_1h_input_tokens"),
    }),
  };
}

/** `prompt_tokens` includes what came from the cache; our `input` does not. */
function chatUsage(recorded: JsonObject): Usage {
  const details = recorded.prompt_tokens_details;
  const cacheRead = isRecord(details) ? numberField(details, "cached_tokens") : 0;
  return {
    input: Math.max(0, numberField(recorded, "prompt_tokens") - cacheRead),
    output: numberField(recorded, "completion_tokens"),
    cacheRead,
    cacheCreation: 0,
  };
}

export const noUsage: Usage = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };

export function addUsage(sum: Usage, usage: Usage): Usage {
  const isSplit = [sum, usage].some((one) => one.cacheCreation5m !== undefined);
  return {
    input: sum.input + usage.input,
    output: sum.output + usage.output,
    cacheRead: sum.cacheRead + usage.cacheRead,
    cacheCreation: sum.cacheCreation + usage.cacheCreation,
    ...(isSplit && {
      cacheCreation5m: (sum.cacheCreation5m ?? 0) + (usage.cacheCreation5m ?? 0),
      cacheCreation1h: (sum.cacheCreation1h ?? 0) + (usage.cacheCreation1h ?? 0),
    }),
  };
}

/** The API's fields of a response beside its content. */
export function responseFields(
  recorded: JsonObject,
): Pick<Message, "responseId" | "model" | "stopReason" | "usage"> {
  const responseId = textField(recorded, "id");
  const model = textField(recorded, "model");
  const stopReason = recorded.stop_reason;
  const usage = readUsage(recorded.usage);
  return {
    ...(responseId !== undefined && { responseId }),
    ...(model !== undefined && { model }),
    ...((typeof stopReason === "string" || stopReason === null) && { stopReason }),
    ...(usage !== undefined && { usage }),
  };
}
