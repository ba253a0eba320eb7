import type { ContentBlock } from "../../spec/index.ts";
import { isObject, type JsonObject } from "./json-value.ts";

export interface KeptContent {
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
  if (!isObject(block) || block.type !== "thinking") return false;
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
    const problem = isObject(block) ? blockProblem(block) : "is not an object";
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
  if (mediaTypes.has(type) && !isObject(block.source)) return `(${type}) has no source`;
  if (type !== "tool_result" || block.content === undefined) return undefined;
  const inner = contentProblem(block.content);
  return inner === undefined ? undefined : `(tool_result): ${inner}`;
}
