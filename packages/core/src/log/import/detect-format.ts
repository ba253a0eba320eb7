import { isRecord, type JsonObject, parseJson } from "../../json/json-values.ts";
import { gunzipChunks, isGzip } from "./gunzip-chunks.ts";
import type { TranscriptFormat } from "./import-report.ts";
import { parseTruncated } from "./parse-line.ts";
import { createLookahead } from "./tally.ts";

/** Tells a transcript's format by its first bytes, uncompressed; they may be cut anywhere. See `readHead`. */
export function detectFormat(head: Uint8Array): TranscriptFormat {
  return inspectHead(head).format;
}

/** The first bytes of a file, uncompressed, plain or gzip; as many as could be read. Never throws. */
export async function readHead(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number = headBytes,
): Promise<Uint8Array> {
  const raw = createLookahead(chunks);
  const first = await raw.peek(2);
  const source = isGzip(first) ? createLookahead(gunzipChunks(raw.chunks(), () => {})) : raw;
  const head = await source.peek(maxBytes);
  await source.close();
  await raw.close();
  return head;
}

export interface InspectedHead {
  readonly format: TranscriptFormat;
  /** `document`: one JSON value that must be read whole. `lines`: one JSON value a line. */
  readonly container: "lines" | "document";
  /** The lines' records as far as the head goes, the last of them possibly cut. */
  readonly records: readonly JsonObject[];
}

/** As much of a file as is looked at to tell its format; more only where this much does not tell. */
export const headBytes = 64 * 1024;
export const maxHeadBytes = 1024 * 1024;

/** Other lines may come first, and lines may be damaged: the first record that tells decides. */
export function inspectHead(head: Uint8Array): InspectedHead {
  const text = new TextDecoder("utf-8").decode(head);
  const document = documentFormat(text);
  if (document !== undefined) return { format: document, container: "document", records: [] };
  const records = recordsOf(text);
  for (const record of records) {
    const format = recordFormat(record);
    if (format === "chat") return { format: chatDialect(records), container: "lines", records };
    if (format !== undefined) return { format, container: "lines", records };
  }
  return { format: "unknown", container: "lines", records };
}

/** The messages of a JSON document: a list, a request with `messages`, or one message; `undefined` if it is none. */
export function documentMessages(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value;
  if (!isRecord(value)) return undefined;
  if (Array.isArray(value.messages)) return value.messages;
  return recordFormat(value) === "chat" ? [value] : undefined;
}

/** Only the Messages API has the system prompt beside the messages. */
export function documentDialect(value: unknown, messages: readonly unknown[]): ChatFormat {
  return isRecord(value) && "system" in value ? "anthropic-messages" : chatDialect(messages);
}

function documentFormat(text: string): ChatFormat | undefined {
  const first = parseTruncated(text);
  if (first === undefined) return undefined;
  if (first.end === undefined && isRequestBeginning(first.value)) return "anthropic-messages";
  const isRequest = isRecord(first.value) && Array.isArray(first.value.messages);
  const isSpread = text.slice(0, first.end).trim().includes("\n");
  if (!Array.isArray(first.value) && !isRequest && !isSpread) return undefined;
  const messages = documentMessages(first.value);
  if (messages === undefined) return undefined;
  const tells = messages.some((message) => isRecord(message) && recordFormat(message) === "chat");
  if (!tells && messages.length > 0) return undefined;
  return documentDialect(first.value, messages);
}

/** A request may open with a system prompt or tools longer than the head. */
function isRequestBeginning(value: unknown): boolean {
  if (!isRecord(value) || "messages" in value || recordFormat(value) !== undefined) return false;
  return "max_tokens" in value || "system" in value || "tools" in value || "model" in value;
}

function recordsOf(text: string): readonly JsonObject[] {
  const records: JsonObject[] = [];
  const lines = text.split("\n");
  for (const [index, line] of lines.entries()) {
    const value = index < lines.length - 1 ? parseJson(line) : parseTruncated(line)?.value;
    if (isRecord(value)) records.push(value);
  }
  return records;
}

/** The format that one record shows: a line's format, or `chat` for either kind of message. */
type RecordFormat = Exclude<TranscriptFormat, "anthropic-messages" | "openai-messages" | "unknown"> | "chat";

const codexTypes: ReadonlySet<unknown> = new Set([
  "session_meta",
  "event_msg",
  "response_item",
  "turn_context",
  "compacted",
]);

/** `undefined` when the record could be anybody's. The record may be cut: see `parseTruncated`. */
function recordFormat(record: JsonObject): RecordFormat | undefined {
  if (typeof record.v === "number" && typeof record.seq === "number" && "kind" in record) return "palimpsest";
  if (codexTypes.has(record.type) && ("payload" in record || "timestamp" in record)) return "codex";
  if (isClaudeCode(record)) return "claude-code";
  if (isPi(record)) return "pi";
  if (isCodexMessage(record)) return "codex";
  if (chatRoles.has(record.role) || isCompletion(record)) return "chat";
  return undefined;
}

function isClaudeCode(record: JsonObject): boolean {
  // A cut line may have lost its type, which can stand behind the message.
  if ("parentUuid" in record && ("sessionId" in record || "isSidechain" in record)) return true;
  if (typeof record.type !== "string") return false;
  if (record.type === "file-history-snapshot") return true;
  return ["uuid", "parentUuid", "sessionId", "leafUuid"].some((field) => field in record);
}

function isPi(record: JsonObject): boolean {
  if (record.type === "session") return "id" in record || "cwd" in record;
  return record.type === "message" && isRecord(record.message);
}

/** Early rollouts had the items of the Responses API as bare lines. */
function isCodexMessage(record: JsonObject): boolean {
  if (!Array.isArray(record.content)) return false;
  return record.content.some(
    (part) => isRecord(part) && (part.type === "input_text" || part.type === "output_text"),
  );
}

type ChatFormat = "anthropic-messages" | "openai-messages";

const chatRoles: ReadonlySet<unknown> = new Set(["user", "assistant", "system", "developer", "tool"]);

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
function chatDialect(records: readonly unknown[]): ChatFormat {
  for (const record of records) {
    const sign = isRecord(record) ? dialectSign(record) : undefined;
    if (sign !== undefined) return sign;
  }
  const first = records.find(isRecord);
  return first?.role === "system" ? "openai-messages" : "anthropic-messages";
}

function dialectSign(record: JsonObject): ChatFormat | undefined {
  if (isCompletion(record) || record.role === "tool" || record.role === "developer") return "openai-messages";
  if (Array.isArray(record.tool_calls)) return "openai-messages";
  if (record.type === "message" || "stop_reason" in record) return "anthropic-messages";
  if (!Array.isArray(record.content)) return undefined;
  for (const part of record.content) {
    if (!isRecord(part)) continue;
    if (openAiParts.has(part.type)) return "openai-messages";
    if (anthropicBlocks.has(part.type)) return "anthropic-messages";
  }
  return undefined;
}

/** A response of the chat completions API. */
export function isCompletion(record: JsonObject): boolean {
  return record.object === "chat.completion" && Array.isArray(record.choices);
}
