import type {
  ChatCompletionAssistantMessageParam,
  ChatCompletionContentPart,
  ChatCompletionCreateParamsStreaming,
  ChatCompletionFunctionTool,
  ChatCompletionMessageParam,
} from "openai/resources/chat/completions";

/** The protocol's shapes, by the SDK's types. */
export type ChatBody = ChatCompletionCreateParamsStreaming;
export type ChatMessage = ChatCompletionMessageParam;
export type ChatAssistantMessage = ChatCompletionAssistantMessageParam;
export type ChatPart = Exclude<ChatCompletionContentPart, { type: "input_audio" }>;
export type ChatTool = ChatCompletionFunctionTool;

/** Which field says how long an answer may be: newer models of OpenAI take the first, most other servers the second. */
export type MaxTokensField = "max_completion_tokens" | "max_tokens";

/** What the server takes besides text. What it does not take is named in its place. */
export interface ChatMedia {
  readonly images: boolean;
  /** PDF files as `file` parts. */
  readonly documents: boolean;
}

/** What a request had and the protocol, or the server, has no place for. */
export interface ChatLoss {
  /** Blocks of thinking, redacted ones too. */
  readonly thinking: number;
  /** Fields of the request, by name. */
  readonly fields: readonly string[];
  /** Tools that the provider defines and runs, by name. */
  readonly tools: readonly string[];
}
