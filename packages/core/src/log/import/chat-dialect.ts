import { isObject, type JsonObject } from "./json-value.ts";

export type ChatFormat = "anthropic-messages" | "openai-messages";

export const chatRoles: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "developer", "tool"]);

const openAiParts: ReadonlySet<unknown> = new Set(["image_url", "input_audio", "file", "refusal"]);
const anthropicBlocks: ReadonlySet<unknown> = new Set([
  "tool_use",
  "tool_result",
  "thinking",
  "redacted_thinking",
  "image",
  "document",
]);

/** Which of the two a conversation is in: the first sign decides. One without any sign is the same in both. */
export function chatDialect(records: readonly unknown[]): ChatFormat {
  for (const record of records) {
    const sign = isObject(record) ? dialectSign(record) : undefined;
    if (sign !== undefined) return sign;
  }
  const first = records.find(isObject);
  return first?.role === "system" ? "openai-messages" : "anthropic-messages";
}

function dialectSign(record: JsonObject): ChatFormat | undefined {
  if (isCompletion(record) || record.role === "tool" || record.role === "developer") return "openai-messages";
  if (Array.isArray(record.tool_calls)) return "openai-messages";
  if (record.type === "message" || "stop_reason" in record) return "anthropic-messages";
  if (!Array.isArray(record.content)) return undefined;
  for (const part of record.content) {
    if (!isObject(part)) continue;
    if (openAiParts.has(part.type)) return "openai-messages";
    if (anthropicBlocks.has(part.type)) return "anthropic-messages";
  }
  return undefined;
}

/** A response of the chat completions API. */
export function isCompletion(record: JsonObject): boolean {
  return record.object === "chat.completion" && Array.isArray(record.choices);
}
