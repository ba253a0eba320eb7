export type {
  ChatBody,
  ChatLoss,
  ChatMedia,
  ChatMessage,
  MaxTokensField,
  WholeChatBody,
} from "./openai/chat-types.ts";
export type { ChunkReaderOptions } from "./openai/chunk-reader.ts";
export { fromChatChunks } from "./openai/chunk-reader.ts";
export { fromChatMessages } from "./openai/from-chat-messages.ts";
export { type ChatRequest, type ChatRequestOptions, toChatRequest } from "./openai/to-chat-request.ts";
