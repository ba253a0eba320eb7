import {
  isNestedTooDeeply,
  isRecord,
  type JsonObject,
  parseJson,
  textField,
} from "../../../json/json-values.ts";
import type { ContentBlock, ImageBlock, Message, ToolUseBlock } from "../../../spec/index.ts";
import { isCompletion } from "../detect-format.ts";
import { type EntrySink, lineId, type RecordReader } from "../entry-sink.ts";
import { readContent, responseFields } from "../message-content.ts";
import type { LineTimes, Tally } from "../tally.ts";

export interface ChatReaderOptions {
  readonly sink: EntrySink;
  readonly tally: Tally;
  readonly times: LineTimes;
}

/** Reads messages in the shape of either API, one a record. */
export function createChatReader({ sink, tally, times }: ChatReaderOptions): RecordReader {
  return {
    read(record, location) {
      const read = readChatMessage(record, location.line);
      const at = times.of(record);
      if ("problem" in read) {
        tally.setAside("skipped", location, read.problem);
        return;
      }
      const { message, unsignedThinking } = read;
      if (message.type === "system") tally.other(message.subtype ?? "system");
      else tally.message(message);
      tally.add("unsignedThinking", unsignedThinking);
      sink.emit({ kind: "message", message, id: lineId(location.line), at });
    },
    end: () => {},
  };
}

type ReadChatMessage =
  | { readonly message: Message; readonly unsignedThinking: number }
  | { readonly problem: string };

/**
 * A message in the shape of either API as one of ours. Told apart field by field, so a conversation may mix them.
 * System and developer texts become `system` messages: kept, never sent as part of the conversation.
 */
function readChatMessage(record: JsonObject, line: number): ReadChatMessage {
  const opened = isCompletion(record) ? openCompletion(record) : record;
  if (opened === undefined) return { problem: "it is a completion without a message" };
  const { role } = opened;
  if (role === "user") return withContent(opened.content, (content) => ({ type: "user", content }));
  if (role === "assistant") return readAssistant(opened, line);
  if (role === "tool") return readToolResult(opened);
  if (role === "system" || role === "developer") {
    return withContent(opened.content, (content) => ({ type: "system", subtype: role, content }));
  }
  return { problem: typeof role === "string" ? "its role is not known" : "it has no role" };
}

function readAssistant(record: JsonObject, line: number): ReadChatMessage {
  const calls = toolUseBlocks(record.tool_calls, line);
  if ("problem" in calls) return calls;
  const refusal = textField(record, "refusal");
  const extra = [...(refusal === undefined ? [] : [{ type: "text", text: refusal }]), ...calls];
  const content = extra.length === 0 ? (record.content ?? "") : [...textBlocks(record.content), ...extra];
  if (isNestedTooDeeply(content)) return { problem: "its tool calls are nested too deeply" };
  const read = withContent(content, (kept) => ({
    type: "assistant",
    content: kept,
    ...responseFields(record),
  }));
  const hasReasoning = textField(record, "reasoning_content") !== undefined;
  return "problem" in read || !hasReasoning ? read : { ...read, unsignedThinking: read.unsignedThinking + 1 };
}

function readToolResult(record: JsonObject): ReadChatMessage {
  const toolUseId = textField(record, "tool_call_id");
  if (toolUseId === undefined) return { problem: "it is a tool's result without a tool_call_id" };
  const content = Array.isArray(record.content) ? record.content.map(partToBlock) : (record.content ?? "");
  const result = { type: "tool_result", tool_use_id: toolUseId, content };
  return withContent([result], (kept) => ({ type: "user", content: kept }));
}

function withContent(content: unknown, build: (content: Message["content"]) => Message): ReadChatMessage {
  const kept = readContent(Array.isArray(content) ? content.map(partToBlock) : content);
  if ("problem" in kept) return kept;
  return { message: build(kept.content), unsignedThinking: kept.unsignedThinking };
}

function textBlocks(content: unknown): readonly unknown[] {
  if (content === undefined || content === null || content === "") return [];
  return Array.isArray(content) ? content : [{ type: "text", text: content }];
}

function openCompletion(record: JsonObject): JsonObject | undefined {
  const [choice] = Array.isArray(record.choices) ? record.choices : [];
  if (!isRecord(choice) || !isRecord(choice.message)) return undefined;
  const { id, model, usage } = record;
  return { ...choice.message, id, model, usage, stop_reason: choice.finish_reason };
}

/** Under this name a tool call keeps arguments that are not a JSON object, as the text they were. */
export const unparsedField = "_unparsed";

/** An OpenAI content part as a block; what has no counterpart passes through untouched. */
function partToBlock(part: unknown): unknown {
  if (!isRecord(part)) return part;
  if (part.type === "refusal" && typeof part.refusal === "string")
    return { type: "text", text: part.refusal };
  const image = part.type === "image_url" ? imageBlock(part) : undefined;
  return image ?? part;
}

function imageBlock(part: JsonObject): ImageBlock | undefined {
  const url = isRecord(part.image_url) ? textField(part.image_url, "url") : textField(part, "image_url");
  if (url === undefined) return undefined;
  const inline = /^data:([^;,]+);base64,/.exec(url);
  const mediaType = inline?.[1];
  if (inline === null || mediaType === undefined) return { type: "image", source: { type: "url", url } };
  const data = url.slice(inline[0].length);
  return { type: "image", source: { type: "base64", media_type: mediaType, data } };
}

/** `tool_calls` as blocks, or the reason why they cannot be. A call without an id gets one from its place. */
function toolUseBlocks(calls: unknown, line: number): readonly ContentBlock[] | { readonly problem: string } {
  if (calls === undefined || calls === null) return [];
  if (!Array.isArray(calls)) return { problem: "its tool_calls are not a list" };
  const blocks: ToolUseBlock[] = [];
  for (const [index, call] of calls.entries()) {
    const block = isRecord(call) ? toolUseBlock(call, `call-${line}-${index}`) : undefined;
    if (block === undefined) return { problem: `its tool call ${index} names no function` };
    blocks.push(block);
  }
  return blocks;
}

function toolUseBlock(call: JsonObject, derivedId: string): ToolUseBlock | undefined {
  const target = isRecord(call.function) ? call.function : call.custom;
  const name = isRecord(target) ? textField(target, "name") : undefined;
  if (name === undefined || !isRecord(target)) return undefined;
  const input = isRecord(call.function) ? toolInput(target.arguments) : { [unparsedField]: target.input };
  return { type: "tool_use", id: textField(call, "id") ?? derivedId, name, input };
}

/** Arguments are JSON in a string; models send broken JSON, and nothing for a tool without parameters. */
function toolInput(text: unknown): JsonObject {
  if (isRecord(text)) return text;
  if (text === undefined || text === null || text === "") return {};
  if (typeof text !== "string") return { [unparsedField]: text };
  const value = parseJson(text);
  return isRecord(value) ? value : { [unparsedField]: text };
}
