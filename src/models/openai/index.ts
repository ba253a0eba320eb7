export type { ChatBody, ChatLoss, ChatMedia, ChatMessage, MaxTokensField } from "./chat-types.ts";
export type { ChunkReaderOptions } from "./chunk-reader.ts";
export { fromChatChunks } from "./from-chat-chunks.ts";
export { fromChatMessages } from "./from-chat-messages.ts";
export { type OpenAIOptions, openai } from "./openai.ts";
export { type ChatRequest, type ChatRequestOptions, toChatRequest } from "./to-chat-request.ts";
