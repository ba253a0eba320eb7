import { chatRoles, isCompletion } from "./chat-dialect.ts";
import type { TranscriptFormat } from "./import-report.ts";
import { isObject, type JsonObject } from "./json-value.ts";

/** What one record shows about its file: a line's format, or `chat` for either kind of message. */
export type RecordFormat =
  | Exclude<TranscriptFormat, "anthropic-messages" | "openai-messages" | "unknown">
  | "chat";

const codexTypes: ReadonlySet<unknown> = new Set([
  "session_meta",
  "event_msg",
  "response_item",
  "turn_context",
  "compacted",
]);

/** `undefined` when the record could be anybody's. The record may be cut: see `parseTruncated`. */
export function recordFormat(record: JsonObject): RecordFormat | undefined {
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
  return record.type === "message" && isObject(record.message);
}

/** Early rollouts had the items of the Responses API as bare lines. */
function isCodexMessage(record: JsonObject): boolean {
  if (!Array.isArray(record.content)) return false;
  return record.content.some(
    (part) => isObject(part) && (part.type === "input_text" || part.type === "output_text"),
  );
}
