import {
  isNestedTooDeeply,
  isRecord,
  type JsonObject,
  numberField,
  parseJson,
  textField,
} from "../../../json/json-values.ts";
import type { CompactDecision, ContentBlock, Message, Usage } from "../../../spec/index.ts";
import { type ImportedEntry, lineId, type ReadingParts, type RecordReader } from "../entry-sink.ts";
import type { LineLocation } from "../import-report.ts";
import { readContent } from "../message-content.ts";

type HeldMessage = Extract<ImportedEntry, { readonly kind: "message" }>;

/**
 * Reads a Codex rollout: items of the Responses API, wrapped with a time or, in early ones, bare. Items of the model
 * with no input between them are one response. Its usage comes in a line of its own, after it: until then, the response
 * and what follows it are held back.
 */
export function createCodexReader({ sink, tally, times }: ReadingParts): RecordReader {
  let held: ImportedEntry[] = [];
  let response: string | undefined;
  let hasUsage = false;
  let model: string | undefined;

  function release(): void {
    for (const entry of held) {
      if (entry.kind === "message" && entry.message.type !== "system") tally.message(entry.message);
      sink.emit(entry);
    }
    held = [];
  }

  function hold(message: Message, id: string, at: string): void {
    if (message.type === "assistant" && response === undefined) {
      release();
      response = id;
      hasUsage = false;
    } else if (message.type === "user") response = undefined;
    const own: Partial<Message> =
      message.type === "assistant" && response !== undefined
        ? { responseId: response, ...(model !== undefined && { model }) }
        : {};
    if (message.type === "system") tally.other("system");
    held.push({ kind: "message", message: { ...message, ...own }, id, at });
  }

  function readItem(item: JsonObject, location: LineLocation, at: string): void {
    const read = readCodexItem(item);
    if ("problem" in read) {
      tally.setAside("skipped", location, read.problem);
      return;
    }
    const type = textField(item, "type") ?? "(none)";
    if (read.who === "unknown" || read.who === "hidden") {
      if (read.who === "hidden") tally.other(type);
      else tally.unknown(type);
      held.push({
        kind: "note",
        note: { topic: "foreign", type, line: item },
        id: lineId(location.line),
        at,
      });
      return;
    }
    const kept = readContent(read.blocks);
    if ("problem" in kept) {
      tally.setAside("skipped", location, kept.problem);
      return;
    }
    const message: Message = {
      type: read.who,
      content: kept.content,
      ...(read.who === "system" && { subtype: "developer" }),
      ...(read.who === "user" && isContext(read.blocks) && { isMeta: true }),
    };
    tally.add("unsignedThinking", kept.unsignedThinking);
    hold(message, lineId(location.line), at);
  }

  /** The newest response gets it; a second line about the same one is passed over. */
  function readEvent(payload: JsonObject): void {
    const usage = payload.type === "token_count" ? usageOf(payload.info) : undefined;
    const at = held.findLastIndex((entry) => entry.kind === "message" && entry.message.type === "assistant");
    const entry = held[at];
    if (!usage || hasUsage || entry?.kind !== "message") return;
    held[at] = { ...(entry as HeldMessage), message: { ...entry.message, usage } };
    hasUsage = true;
    response = undefined;
  }

  function readCompacted(payload: JsonObject, location: LineLocation, at: string): void {
    release();
    response = undefined;
    tally.other("compacted");
    tally.add("boundaries", 1);
    sink.emit({ kind: "decision", decision: compactDecision(payload, sink), id: lineId(location.line), at });
  }

  return {
    read(record, location) {
      const at = times.of(record);
      const type = textField(record, "type") ?? "(none)";
      const payload = isRecord(record.payload) ? record.payload : undefined;
      if (payload === undefined && type !== "session_meta") return readItem(record, location, at);
      if (type === "response_item" && payload) return readItem(payload, location, at);
      if (type === "compacted" && payload) return readCompacted(payload, location, at);
      if (type === "turn_context" && payload) model = textField(payload, "model") ?? model;
      if (type === "event_msg" && payload) readEvent(payload);
      const isKnown = type === "event_msg" || type === "turn_context" || type === "session_meta";
      if (isKnown) tally.other(type);
      else tally.unknown(type);
      held.push({
        kind: "note",
        note: { topic: "foreign", type, line: record },
        id: lineId(location.line),
        at,
      });
    },
    end: release,
  };
}

/** The program's text about itself and the folder, in the user's name. */
function isContext(blocks: readonly { readonly type: string }[]): boolean {
  const [first] = blocks as readonly { readonly text?: unknown }[];
  return (
    typeof first?.text === "string" && /^\s*<(?:environment_context|user_instructions)>/.test(first.text)
  );
}

function usageOf(info: unknown): Usage | undefined {
  const last = isRecord(info) ? info.last_token_usage : undefined;
  if (!isRecord(last)) return undefined;
  const cacheRead = numberField(last, "cached_input_tokens");
  return {
    input: Math.max(0, numberField(last, "input_tokens") - cacheRead),
    cacheRead,
    cacheCreation: 0,
    output: numberField(last, "output_tokens"),
  };
}

function compactDecision(payload: JsonObject, { lastId, lastSeq }: ReadingParts["sink"]): CompactDecision {
  const text = textField(payload, "message");
  return {
    type: "compact",
    layer: "imported",
    reason: "recorded by Codex",
    frees: 0,
    basis: lastSeq,
    trigger: "imported",
    strategy: "codex",
    tokensBefore: 0,
    tokensAfter: 0,
    ...(text !== undefined && { summary: { type: "user", content: text, isCompactSummary: true } }),
    covers: lastId,
    attachments: [],
    discoveredTools: [],
  };
}

/** An item of a rollout as a part of the conversation. */
type CodexItem =
  | { readonly who: "user" | "assistant" | "system"; readonly blocks: readonly ContentBlock[] }
  /** Reasoning that came encrypted or empty: nothing of it can be read. */
  | { readonly who: "hidden" }
  | { readonly who: "unknown" }
  | { readonly problem: string };

/** Reads an item of the Responses API. Calls and outputs become tool uses and results. */
function readCodexItem(item: JsonObject): CodexItem {
  switch (item.type) {
    case "message":
      return readMessage(item);
    case "reasoning":
      return readReasoning(item);
    case "function_call":
      return readCall(item, parsedArguments(item.arguments));
    case "custom_tool_call":
      return readCall(item, { input: item.input });
    case "local_shell_call":
      return readCall({ ...item, name: "shell" }, isRecord(item.action) ? item.action : {});
    case "function_call_output":
    case "custom_tool_call_output":
    case "local_shell_call_output":
      return readOutput(item);
    default:
      return { who: "unknown" };
  }
}

function readMessage({ role, content }: JsonObject): CodexItem {
  const blocks = contentBlocks(content);
  if (blocks === null) return { problem: "its content is neither text nor a list of parts" };
  if (role === "user" || role === "assistant") return { who: role, blocks };
  if (role === "system" || role === "developer") return { who: "system", blocks };
  return { problem: "its role is not known" };
}

function contentBlocks(content: unknown): readonly ContentBlock[] | null {
  if (typeof content === "string") return [{ type: "text", text: content }];
  if (!Array.isArray(content)) return null;
  return content.flatMap((part): readonly ContentBlock[] => {
    const text = isRecord(part) ? textField(part, "text") : undefined;
    return text === undefined ? [] : [{ type: "text", text }];
  });
}

/** Only what can be read of it: unsigned, as it is never sent again by us. */
function readReasoning({ summary, content }: JsonObject): CodexItem {
  const parts = [summary, content].flatMap((list) => (Array.isArray(list) ? list : []));
  const texts = parts.flatMap((part) => (isRecord(part) ? (textField(part, "text") ?? []) : []));
  if (texts.length === 0) return { who: "hidden" };
  return { who: "assistant", blocks: [{ type: "thinking", thinking: texts.join("\n\n"), signature: "" }] };
}

function readCall(item: JsonObject, input: unknown): CodexItem {
  const id = textField(item, "call_id") ?? textField(item, "id");
  const name = textField(item, "name");
  if (id === undefined || name === undefined) return { problem: "it is a call without an id or a name" };
  if (isNestedTooDeeply(input)) return { problem: "its arguments are nested too deeply" };
  return { who: "assistant", blocks: [{ type: "tool_use", id, name, input }] };
}

function parsedArguments(text: unknown): unknown {
  if (typeof text !== "string" || text.trim() === "") return {};
  const parsed = parseJson(text);
  return isRecord(parsed) ? parsed : { _unparsed: text };
}

function readOutput(item: JsonObject): CodexItem {
  const id = textField(item, "call_id") ?? textField(item, "id");
  if (id === undefined) return { problem: "it is an output without a call_id" };
  const { output } = item;
  const isWrapped = isRecord(output);
  const text = isWrapped ? output.content : output;
  const content = typeof text === "string" ? text : (contentBlocks(text) ?? JSON.stringify(output ?? ""));
  const isError = isWrapped && output.success === false;
  const block: ContentBlock = {
    type: "tool_result",
    tool_use_id: id,
    content,
    ...(isError && { is_error: true }),
  };
  return { who: "user", blocks: [block] };
}
