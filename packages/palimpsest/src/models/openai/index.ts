export {
  type ChatBody,
  type ChatLoss,
  type ChatMedia,
  type ChatMessage,
  type ChatRequest,
  type ChatRequestOptions,
  type ChunkReaderOptions,
  fromChatChunks,
  fromChatMessages,
  type MaxTokensField,
  toChatRequest,
  type WholeChatBody,
} from "@palimpsest/core/wire";
export { type OpenAIOptions, openai } from "./openai.ts";
