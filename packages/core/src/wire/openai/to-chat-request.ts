import type { ModelRequest, ToolDefinition } from "../../spec/index.ts";
import type { ChatBody, ChatLoss, ChatMedia, ChatTool, MaxTokensField } from "./chat-types.ts";
import { isRecord } from "./is-record.ts";
import { toChatMessages } from "./to-chat-messages.ts";

export interface ChatRequestOptions extends Partial<ChatMedia> {
  /** `max_completion_tokens` unless said otherwise. */
  readonly maxTokensField?: MaxTokensField;
  /**
   * Fields of the server's own, over everything else: `{ reasoning_effort: "low" }`. What is `undefined` is not sent:
   * `{ stream_options: undefined }` is for servers that refuse that field.
   */
  readonly extraBody?: Readonly<Record<string, unknown>>;
}

export interface ChatRequest {
  readonly body: ChatBody;
  readonly loss: ChatLoss;
}

/** Fields with a meaning of their own here; they are converted. */
const converted: ReadonlySet<string> = new Set([
  "model",
  "max_tokens",
  "system",
  "tools",
  "tool_choice",
  "messages",
  "stop_sequences",
  "stream",
]);

/** Fields that mean the same on both sides, or that only chat completions have. Everything else is not sent. */
const passed: ReadonlySet<string> = new Set([
  "temperature",
  "top_p",
  "frequency_penalty",
  "presence_penalty",
  "seed",
  "reasoning_effort",
  "verbosity",
  "response_format",
  "prompt_cache_key",
  "prompt_cache_retention",
  "safety_identifier",
]);

/** A request in the Anthropic shape as a chat completion that streams and ends with its usage. Pure. */
export function toChatRequest(request: ModelRequest, options: ChatRequestOptions = {}): ChatRequest {
  const { maxTokensField = "max_completion_tokens", images = true, documents = true, extraBody } = options;
  const given = Object.entries(request).filter(([, value]) => value !== undefined && value !== null);
  const { tools, dropped } = toChatTools(request.tools ?? []);
  const { messages, thinking } = toChatMessages(request, { images, documents });
  const stop = (request.stop_sequences ?? []) as readonly string[];
  const body = {
    model: request.model,
    messages,
    ...(tools.length > 0 && { tools, ...toToolChoice(request.tool_choice) }),
    [maxTokensField]: request.max_tokens,
    ...(stop.length > 0 && { stop: [...stop] }),
    ...Object.fromEntries(given.filter(([name]) => passed.has(name))),
    stream: true as const,
    stream_options: { include_usage: true },
    ...extraBody,
  };
  const fields = given.map(([name]) => name).filter((name) => !converted.has(name) && !passed.has(name));
  return { body, loss: { thinking, fields, tools: dropped } };
}

/** Tools as functions. Those without a schema of their own are run by another provider, and dropped. */
function toChatTools(definitions: readonly ToolDefinition[]): {
  readonly tools: ChatTool[];
  readonly dropped: readonly string[];
} {
  const tools: ChatTool[] = [];
  const dropped: string[] = [];
  for (const definition of definitions) {
    const {
      name,
      description,
      input_schema: schema,
      strict,
    } = definition as ToolDefinition & {
      readonly strict?: unknown;
    };
    if (!isRecord(schema)) {
      dropped.push(name ?? String((definition as { readonly type?: unknown }).type));
      continue;
    }
    tools.push({
      type: "function",
      function: {
        name,
        ...(description !== undefined && { description }),
        // An object without properties is refused by OpenAI.
        parameters:
          schema.type === "object" && !isRecord(schema.properties) ? { ...schema, properties: {} } : schema,
        ...(typeof strict === "boolean" && { strict }),
      },
    });
  }
  return { tools, dropped };
}

/** The fields that say which tools may, or must, be called. */
function toToolChoice(choice: unknown): Readonly<Record<string, unknown>> {
  if (!isRecord(choice)) return {};
  const { type, name, disable_parallel_tool_use: isAlone } = choice;
  return {
    ...(type === "auto" && { tool_choice: "auto" }),
    ...(type === "none" && { tool_choice: "none" }),
    ...(type === "any" && { tool_choice: "required" }),
    ...(type === "tool" && { tool_choice: { type: "function", function: { name } } }),
    ...(isAlone === true && { parallel_tool_calls: false }),
  };
}
