import {
  isNestedTooDeeply,
  isRecord,
  type JsonObject,
  numberField,
  textField,
} from "../../../json/json-values.ts";
import type { CompactDecision, ContentBlock, Message, Usage } from "../../../spec/index.ts";
import { isLineId, lineId, type ReadingParts, type RecordReader } from "../entry-sink.ts";
import type { LineLocation } from "../import-report.ts";
import { readContent } from "../message-content.ts";

const knownTypes: ReadonlySet<string> = new Set([
  "session",
  "session_info",
  "model_change",
  "thinking_level_change",
  "branch_summary",
  "custom",
  "custom_message",
  "label",
]);

/** Reads a pi session, line by line in the order of the file: every message is a line, a response is one message. */
export function createPiReader({ sink, tally, times }: ReadingParts): RecordReader {
  const seqs = new Map<string, number>();

  function readMessage(record: JsonObject, location: LineLocation, id: string, at: string): void {
    const read = isRecord(record.message) ? toMessage(record.message, id) : { problem: "it has no message" };
    if ("problem" in read) {
      tally.setAside("skipped", location, read.problem);
      return;
    }
    tally.message(read.message);
    tally.add("unsignedThinking", read.unsignedThinking);
    const parent = textField(record, "parentId");
    sink.emit({ kind: "message", message: read.message, ...(parent !== undefined && { parent }), id, at });
  }

  function readCompaction(record: JsonObject, id: string, at: string): void {
    tally.other("compaction");
    tally.add("boundaries", 1);
    sink.emit({ kind: "decision", decision: compaction(record, sink, seqs), id, at });
  }

  return {
    read(record, location) {
      const foreign = textField(record, "id");
      const isOwn = foreign !== undefined && !isLineId(foreign) && record.type !== "session";
      const id = isOwn ? foreign : lineId(location.line);
      const at = times.of(record);
      if (seqs.has(id)) return tally.setAside("duplicate", location, "an earlier line has the same id");
      if (record.type === "message") readMessage(record, location, id, at);
      else if (record.type === "compaction") readCompaction(record, id, at);
      else {
        const type = textField(record, "type") ?? "(none)";
        if (knownTypes.has(type)) tally.other(type);
        else tally.unknown(type);
        sink.emit({ kind: "note", note: { topic: "foreign", type, line: record }, id, at });
      }
      seqs.set(id, sink.lastSeq);
    },
    end: () => {},
  };
}

type ReadPiMessage =
  | { readonly message: Message; readonly unsignedThinking: number }
  | { readonly problem: string };

function toMessage(message: JsonObject, id: string): ReadPiMessage {
  const { role } = message;
  if (role === "user") return withContent(message.content, (content) => ({ type: "user", content }));
  if (role === "toolResult") return toolResult(message);
  if (role === "bashExecution") return commandOutput(message);
  if (role !== "assistant") return { problem: "its role is not known" };
  const model = textField(message, "model");
  const stopReason = textField(message, "stopReason");
  const usage = usageOf(message.usage);
  return withContent(message.content, (content) => ({
    type: "assistant",
    content,
    responseId: textField(message, "responseId") ?? id,
    ...(model !== undefined && { model }),
    ...(stopReason !== undefined && { stopReason: stopReason === "toolUse" ? "tool_use" : stopReason }),
    ...(usage && { usage }),
  }));
}

/** A command that the user ran beside the conversation. */
function commandOutput(message: JsonObject): ReadPiMessage {
  const text = `<bash-stdout>${textField(message, "command") ?? ""}\n${textField(message, "output") ?? ""}</bash-stdout>`;
  return withContent(text, (content) => ({ type: "user", content }));
}

function toolResult(message: JsonObject): ReadPiMessage {
  const id = textField(message, "toolCallId");
  if (id === undefined) return { problem: "it is a tool's result without a toolCallId" };
  const content = Array.isArray(message.content) ? message.content.map(toBlock) : (message.content ?? "");
  const block = {
    type: "tool_result",
    tool_use_id: id,
    content,
    ...(message.isError === true && { is_error: true }),
  };
  return withContent([block], (kept) => ({ type: "user", content: kept }));
}

function withContent(content: unknown, build: (content: Message["content"]) => Message): ReadPiMessage {
  const blocks = Array.isArray(content) ? content.map(toBlock) : content;
  if (isNestedTooDeeply(blocks)) return { problem: "its content is nested too deeply" };
  const kept = readContent(blocks);
  if ("problem" in kept) return kept;
  return { message: build(kept.content), unsignedThinking: kept.unsignedThinking };
}

/** Blocks of pi as blocks of the Messages API; those that are the same stay as they are. */
function toBlock(block: unknown): unknown {
  if (!isRecord(block)) return block;
  const { type } = block;
  if (type === "toolCall")
    return { type: "tool_use", id: block.id, name: block.name, input: block.arguments ?? {} };
  if (type === "thinking")
    return { type, thinking: block.thinking, signature: block.thinkingSignature ?? block.signature ?? "" };
  if (type === "text") return { type, text: block.text };
  if (type === "image" && typeof block.data === "string")
    return { type, source: { type: "base64", media_type: block.mimeType, data: block.data } };
  return block;
}

function usageOf(usage: unknown): Usage | undefined {
  if (!isRecord(usage)) return undefined;
  return {
    input: numberField(usage, "input"),
    cacheRead: numberField(usage, "cacheRead"),
    cacheCreation: numberField(usage, "cacheWrite"),
    output: numberField(usage, "output"),
  };
}

/** The kept part begins at a named entry; without one, or where it is not in the file, nothing is kept. */
function compaction(
  record: JsonObject,
  { lastId, lastSeq }: ReadingParts["sink"],
  seqs: ReadonlyMap<string, number>,
): CompactDecision {
  const summary = textField(record, "summary");
  const head = textField(record, "firstKeptEntryId");
  const headSeq = head === undefined ? undefined : seqs.get(head);
  const content: readonly ContentBlock[] = summary === undefined ? [] : [{ type: "text", text: summary }];
  return {
    type: "compact",
    layer: "imported",
    reason: "recorded by pi",
    frees: 0,
    basis: lastSeq,
    trigger: "imported",
    strategy: "pi",
    tokensBefore: numberField(record, "tokensBefore"),
    tokensAfter: 0,
    ...(summary !== undefined && { summary: { type: "user", content, isCompactSummary: true } }),
    covers: lastId,
    ...(head !== undefined &&
      headSeq !== undefined && {
        kept: { head, tail: lastId, anchor: "summary", headSeq, tailSeq: lastSeq },
      }),
    attachments: [],
    discoveredTools: [],
  };
}
