import type { Message } from "../../../spec/index.ts";
import { isCompletion } from "../chat-dialect.ts";
import { type EntrySink, lineId } from "../entry-sink.ts";
import { isNestedTooDeeply, isObject, type JsonObject, textOf } from "../json-value.ts";
import type { LineTimes } from "../line-times.ts";
import { readContent } from "../message-content.ts";
import type { RecordReader } from "../record-reader.ts";
import { responseFields } from "../response-fields.ts";
import type { Tally } from "../tally.ts";
import { partToBlock, toolUseBlocks } from "./openai-blocks.ts";

export interface ChatReaderOptions {
  readonly sink: EntrySink;
  readonly tally: Tally;
  readonly times: LineTimes;
}

/** Reads messages in the shape of either API, one a record. */
export function createChatReader({ sink, tally, times }: ChatReaderOptions): RecordReader {
  return {
    read(record, place) {
      const read = readChatMessage(record, place.line);
      const at = times.of(record);
      if ("problem" in read) {
        tally.setAside("skipped", place, read.problem);
        return;
      }
      const { message, unsignedThinking } = read;
      if (message.type === "system") tally.other(message.subtype ?? "system");
      else tally.message(message);
      tally.add("unsignedThinking", unsignedThinking);
      sink.emit({ kind: "message", message, id: lineId(place.line), at });
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
  const refusal = textOf(record, "refusal");
  const extra = [...(refusal === undefined ? [] : [{ type: "text", text: refusal }]), ...calls];
  const content = extra.length === 0 ? (record.content ?? "") : [...textBlocks(record.content), ...extra];
  if (isNestedTooDeeply(content)) return { problem: "its tool calls are nested too deeply" };
  const read = withContent(content, (kept) => ({
    type: "assistant",
    content: kept,
    ...responseFields(record),
  }));
  const hasReasoning = textOf(record, "reasoning_content") !== undefined;
  return "problem" in read || !hasReasoning ? read : { ...read, unsignedThinking: read.unsignedThinking + 1 };
}

function readToolResult(record: JsonObject): ReadChatMessage {
  const toolUseId = textOf(record, "tool_call_id");
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
  if (!isObject(choice) || !isObject(choice.message)) return undefined;
  const { id, model, usage } = record;
  return { ...choice.message, id, model, usage, stop_reason: choice.finish_reason };
}
