import { isRecord } from "../../json/json-values.ts";
import {
  type ContentBlock,
  type DocumentBlock,
  type ImageBlock,
  isBlock,
  type ModelRequest,
  type RequestMessage,
  type ToolDefinition,
  type ToolResultBlock,
  type ToolUseBlock,
} from "../../spec/index.ts";
import {
  type ChatAssistantMessage,
  type ChatBody,
  type ChatLoss,
  type ChatMedia,
  type ChatMessage,
  type ChatPart,
  type ChatTool,
  type MaxTokensField,
  toCallId,
  type WholeChatBody,
} from "./chat-types.ts";

export interface ChatRequestOptions extends Partial<ChatMedia> {
  /** `max_completion_tokens` unless said otherwise. */
  readonly maxTokensField?: MaxTokensField;
  /**
   * Fields of the server's own, over everything else: `{ reasoning_effort: "low" }`. What is `undefined` is not sent:
   * `{ stream_options: undefined }` is for servers that refuse that field.
   */
  readonly extraBody?: Readonly<Record<string, unknown>>;
}

/** Whether the answer streams, and ends with its usage, as it does unless said otherwise; or comes in one piece. */
interface Streams<IsStream extends boolean> {
  readonly stream: IsStream;
}

export interface ChatRequest<Body = ChatBody> {
  readonly body: Body;
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

/** A request in the Anthropic shape as a chat completion. Pure. */
export function toChatRequest(
  request: ModelRequest,
  options: ChatRequestOptions & Streams<false>,
): ChatRequest<WholeChatBody>;
export function toChatRequest(
  request: ModelRequest,
  options?: ChatRequestOptions & Partial<Streams<true>>,
): ChatRequest;
export function toChatRequest(
  request: ModelRequest,
  options: ChatRequestOptions & Partial<Streams<boolean>> = {},
): ChatRequest<ChatBody | WholeChatBody> {
  const { maxTokensField = "max_completion_tokens", images = true, documents = true } = options;
  const { stream = true, extraBody } = options;
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
    ...(stream ? { stream, stream_options: { include_usage: true } } : { stream }),
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

/**
 * System prompt and messages in the protocol's roles. Results stand right behind their calls, in the order of the
 * calls; thinking goes, and is counted; a message that nothing is left of goes too.
 */
export function toChatMessages(
  { system = [], messages }: Pick<ModelRequest, "system" | "messages">,
  media: ChatMedia,
): { readonly messages: ChatMessage[]; readonly thinking: number } {
  const chat: ChatMessage[] = [];
  let calls: readonly ToolUseBlock[] = [];
  let thinking = 0;
  const head = toTextContent(system, media);
  if (head !== null) chat.push({ role: "system", content: head });
  for (const message of messages) {
    thinking += message.content.filter(isThinking).length;
    if (message.role === "user") chat.push(...toUserMessages(message, calls, media));
    if (message.role === "system") {
      const content = toTextContent(message.content, media);
      if (content !== null) chat.push({ role: "system", content });
      continue;
    }
    calls = message.content.filter((block) => isBlock(block, "tool_use"));
    if (message.role === "assistant") chat.push(...toAssistantMessage(message, calls, media));
  }
  return { messages: chat, thinking };
}

/** One text as a string, which every server takes; more as parts. */
function toContent(parts: readonly ChatPart[]): string | ChatPart[] {
  const [first, ...rest] = parts;
  return first?.type === "text" && rest.length === 0 ? first.text : [...parts];
}

/** For roles that may only speak. */
function toTextContent(blocks: readonly ContentBlock[], media: ChatMedia) {
  const parts = toParts(blocks, { ...media, images: false, documents: false });
  return parts.length === 0 ? null : (toContent(parts) as string | TextPart[]);
}

type TextPart = Extract<ChatPart, { readonly type: "text" }>;

function toParts(blocks: readonly ContentBlock[], media: ChatMedia): readonly ChatPart[] {
  return blocks.flatMap((block) => toChatPart(block, media) ?? []);
}

function toUserMessages(
  { content }: RequestMessage,
  calls: readonly ToolUseBlock[],
  media: ChatMedia,
): readonly ChatMessage[] {
  const results = content.filter((block) => isBlock(block, "tool_result"));
  const others = content.filter((block) => !isBlock(block, "tool_result"));
  const { messages, moved } = toToolMessages(results, calls, media);
  const parts = [...moved, ...toParts(others, media)];
  return parts.length === 0 ? messages : [...messages, { role: "user", content: toContent(parts) }];
}

function toAssistantMessage(
  { content: blocks }: RequestMessage,
  calls: readonly ToolUseBlock[],
  media: ChatMedia,
): readonly ChatAssistantMessage[] {
  const content = toTextContent(
    blocks.filter((block) => !isBlock(block, "tool_use")),
    media,
  );
  if (calls.length === 0) return content === null ? [] : [{ role: "assistant", content }];
  const toolCalls = calls.map(({ id, name, input }) => ({
    id: toCallId(id),
    type: "function" as const,
    function: { name, arguments: JSON.stringify(input ?? {}) },
  }));
  return [{ role: "assistant", content, tool_calls: toolCalls }];
}

/** The name a file has that came without one. */
export const namelessFile = "document.pdf";

/**
 * A block as a part of a message. What the protocol has no place for becomes words that say what is missing; empty text
 * and thinking become nothing.
 */
function toChatPart(block: ContentBlock, media: ChatMedia): ChatPart | null {
  if (isBlock(block, "text")) return block.text === "" ? null : textPart(block.text);
  if (isBlock(block, "image")) return toImagePart(block, media);
  if (isBlock(block, "document")) return toDocumentPart(block, media);
  if (isThinking(block)) return null;
  const { content, text } = block as { readonly content?: unknown; readonly text?: unknown };
  const words = typeof text === "string" ? text : content;
  if (typeof words === "string" && words !== "") return textPart(words);
  return missingPart(`a block of the type “${block.type}”`, "chat completions have no place for it");
}

function isThinking({ type }: ContentBlock): boolean {
  return type === "thinking" || type === "redacted_thinking";
}

function textPart(text: string): ChatPart {
  return { type: "text", text };
}

function toImagePart({ source }: ImageBlock, { images }: ChatMedia): ChatPart {
  if (!images) return missingPart("an image", "this model takes none");
  if (source.type === "base64")
    return { type: "image_url", image_url: { url: `data:${source.media_type};base64,${source.data}` } };
  if (source.type === "url") return { type: "image_url", image_url: { url: source.url } };
  return missingPart("an image", "it is stored with another provider");
}

function toDocumentPart({ source, title }: DocumentBlock, { documents }: ChatMedia): ChatPart {
  const name = title === undefined ? "a document" : `the document “${title}”`;
  if (source.type === "text")
    return textPart(title === undefined ? source.data : `${title}\n\n${source.data}`);
  if (source.type === "url") return missingPart(`${name} at ${source.url}`, "only its address can be given");
  if (source.type === "file") return missingPart(name, "it is stored with another provider");
  if (source.type === "content") return missingPart(name, "it is made of blocks");
  if (!documents) return missingPart(name, "this model takes none");
  const bytes = `data:${source.media_type};base64,${source.data}`;
  return { type: "file", file: { filename: title ?? namelessFile, file_data: bytes } };
}

function missingPart(what: string, why: string): ChatPart {
  return textPart(`[Here was ${what}: left out, ${why}.]`);
}

const errorPrefix = "Error: ";

/**
 * Results as tool messages, in the order of their calls. Tool messages hold text only: images and files of a result are
 * `moved`, each behind a label, for the message of the user that follows.
 */
function toToolMessages(
  results: readonly ToolResultBlock[],
  calls: readonly ToolUseBlock[],
  media: ChatMedia,
): { readonly messages: readonly ChatMessage[]; readonly moved: readonly ChatPart[] } {
  const placeOf = ({ tool_use_id: id }: ToolResultBlock) => {
    const position = calls.findIndex((call) => call.id === id);
    return position === -1 ? calls.length : position;
  };
  const ordered = [...results].sort((a, b) => placeOf(a) - placeOf(b));
  const moved: ChatPart[] = [];
  const messages = ordered.map((result): ChatMessage => {
    const id = toCallId(result.tool_use_id);
    const name = calls.find((call) => call.id === result.tool_use_id)?.name ?? "a tool";
    const texts = blocksOf(result).flatMap((block) => {
      const part = toChatPart(block, media);
      if (part === null || part.type === "text") return part ?? [];
      const kind = isBlock(block, "image") ? "image" : "document";
      moved.push(textPart(`The ${kind} that ${name} gave (call ${id}):`), part);
      return textPart(`[The ${kind} follows behind the results.]`) as TextPart;
    });
    return { role: "tool", tool_call_id: id, content: toToolContent(texts, result.is_error === true) };
  });
  return { messages, moved };
}

function blocksOf({ content = [] }: ToolResultBlock): readonly ContentBlock[] {
  return typeof content === "string" ? [{ type: "text", text: content }] : content;
}

function toToolContent(texts: readonly TextPart[], isError: boolean): string | TextPart[] {
  const [first = { type: "text", text: "" } as TextPart, ...rest] = texts;
  const begin = isError ? { ...first, text: errorPrefix + first.text } : first;
  return rest.length === 0 ? begin.text : [begin, ...rest];
}
