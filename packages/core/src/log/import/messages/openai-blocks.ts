import type { ContentBlock, ImageBlock, ToolUseBlock } from "../../../spec/index.ts";
import { isObject, type JsonObject, textOf } from "../json-value.ts";

/** Under this name a tool call keeps arguments that are not a JSON object, as the text they were. */
export const unparsedField = "_unparsed";

/** An OpenAI content part as a block; what has no counterpart passes through untouched. */
export function partToBlock(part: unknown): unknown {
  if (!isObject(part)) return part;
  if (part.type === "refusal" && typeof part.refusal === "string")
    return { type: "text", text: part.refusal };
  const image = part.type === "image_url" ? imageBlock(part) : undefined;
  return image ?? part;
}

function imageBlock(part: JsonObject): ImageBlock | undefined {
  const url = isObject(part.image_url) ? textOf(part.image_url, "url") : textOf(part, "image_url");
  if (url === undefined) return undefined;
  const inline = /^data:([^;,]+);base64,/.exec(url);
  const mediaType = inline?.[1];
  if (inline === null || mediaType === undefined) return { type: "image", source: { type: "url", url } };
  const data = url.slice(inline[0].length);
  return { type: "image", source: { type: "base64", media_type: mediaType, data } };
}

/** `tool_calls` as blocks, or the reason why they cannot be. A call without an id gets one from its place. */
export function toolUseBlocks(
  calls: unknown,
  line: number,
): readonly ContentBlock[] | { readonly problem: string } {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) return { problem: "its tool_calls are not a list" };
  const blocks: ToolUseBlock[] = [];
  for (const [index, call] of calls.entries()) {
    const block = isObject(call) ? toolUseBlock(call, `call-${line}-${index}`) : undefined;
    if (block === undefined) return { problem: `its tool call ${index} names no function` };
    blocks.push(block);
  }
  return blocks;
}

function toolUseBlock(call: JsonObject, derivedId: string): ToolUseBlock | undefined {
  const target = isObject(call.function) ? call.function : call.custom;
  const name = isObject(target) ? textOf(target, "name") : undefined;
  if (name === undefined || !isObject(target)) return undefined;
  const input = isObject(call.function) ? toolInput(target.arguments) : { [unparsedField]: target.input };
  return { type: "tool_use", id: textOf(call, "id") ?? derivedId, name, input };
}

/** Arguments are JSON in a string; models send broken JSON, and nothing for a tool without parameters. */
function toolInput(text: unknown): JsonObject {
  if (isObject(text)) return text;
  if (text === undefined || text === null || text === "") return {};
  if (typeof text !== "string") return { [unparsedField]: text };
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : { [unparsedField]: text };
  } catch {
    return { [unparsedField]: text };
  }
}
