import { createHash } from "node:crypto";
import { isRecord, parseJson } from "../../json/json-values.ts";

/** The parts of the chat completions protocol that this side writes. The types of OpenAI's SDK take all of it. */
interface ChatTextPart {
  type: "text";
  text: string;
}

interface ChatImagePart {
  type: "image_url";
  image_url: { url: string };
}

interface ChatFilePart {
  type: "file";
  file: { filename?: string; file_data?: string; file_id?: string };
}

export type ChatPart = ChatTextPart | ChatImagePart | ChatFilePart;

interface ChatToolCall {
  id: string;
  type: "function";
  function: { name: string; arguments: string };
}

export interface ChatAssistantMessage {
  role: "assistant";
  content?: string | ChatTextPart[] | null;
  tool_calls?: ChatToolCall[];
}

export type ChatMessage =
  | { role: "system"; content: string | ChatTextPart[] }
  | { role: "user"; content: string | ChatPart[] }
  | { role: "tool"; tool_call_id: string; content: string | ChatTextPart[] }
  | ChatAssistantMessage;

export interface ChatTool {
  type: "function";
  function: {
    name: string;
    description?: string;
    parameters?: Record<string, unknown>;
    strict?: boolean | null;
  };
}

/** The body of a request that streams; fields of the server's own stand beside these. */
export interface ChatBody extends ChatFields {
  stream: true;
  stream_options?: { include_usage?: boolean } | null;
}

/** The body of a request whose answer comes in one piece. */
export interface WholeChatBody extends ChatFields {
  stream: false;
}

interface ChatFields {
  model: string;
  messages: ChatMessage[];
  tools?: ChatTool[];
  tool_choice?: "none" | "auto" | "required" | { type: "function"; function: { name: string } };
  parallel_tool_calls?: boolean;
  max_completion_tokens?: number | null;
  max_tokens?: number | null;
  stop?: string[];
}

/** Which field says how long an answer may be: newer models of OpenAI take the first, most other servers the second. */
export type MaxTokensField = "max_completion_tokens" | "max_tokens";

/** The media that the server takes besides text. What it does not take is named in its place. */
export interface ChatMedia {
  readonly images: boolean;
  /** PDF files as `file` parts. */
  readonly documents: boolean;
}

/** A part of a request that the protocol, or the server, has no place for. */
export interface ChatLoss {
  /** Blocks of thinking, redacted ones too. */
  readonly thinking: number;
  /** Fields of the request, by name. */
  readonly fields: readonly string[];
  /** Tools that the provider defines and runs, by name. */
  readonly tools: readonly string[];
}

/** The input of a call; nothing and null are an empty one. `undefined` where the text is no object of JSON. */
export function parseArguments(json: string): Readonly<Record<string, unknown>> | undefined {
  if (json.trim() === "") return {};
  const parsed = parseJson(json);
  if (parsed === null) return {};
  return isRecord(parsed) ? parsed : undefined;
}

/** OpenAI takes no longer id. */
const maxCallIdLength = 40;

/** The id of a call as the protocol takes it: a longer one becomes its digest, always the same. */
export function toCallId(id: string): string {
  if (id.length <= maxCallIdLength) return id;
  return `call_${createHash("sha256").update(id).digest("hex").slice(0, 32)}`;
}
