export { anthropic } from "./anthropic.ts";
export type { AnthropicClient, AnthropicOptions } from "./anthropic-options.ts";
