/** The prefix before the first message, system prompt and tool definitions, in tokens. */
export const prefixTokens = 14_200;
/** How long a cached prefix lives after its last use. */
export const cacheTtlMs = 5 * 60_000;
/** Tokens behind the last cache breakpoint of every request. */
const uncachedTokens = 4;
const messageTokens = 6;

/** UTF-8 bytes per token; no model was asked. */
export const bytesPerToken = { text: 4, input: 3, result: 3.1 };

function tokensOf(text, ratio) {
  return Math.ceil(Buffer.byteLength(text) / ratio);
}

function blockTokens(block) {
  if (block.type === "text") return tokensOf(block.text, bytesPerToken.text);
  if (block.type === "tool_use")
    return 24 + tokensOf(block.name + JSON.stringify(block.input), bytesPerToken.input);
  return 12 + tokensOf(block.content, bytesPerToken.result);
}

export function contentTokens(content) {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  return blocks.reduce((sum, block) => sum + blockTokens(block), messageTokens);
}

/**
 * What the API would have counted: each request reads what the request before it cached and writes the rest; after
 * an idle time over the cache's life everything is written again.
 */
export function createPromptCache() {
  let promptTokens = prefixTokens;
  let cachedTokens = 0;
  let lastUseMs = Number.NEGATIVE_INFINITY;

  return {
    isWarm: (atMs) => atMs - lastUseMs <= cacheTtlMs,
    addToPrompt(content) {
      promptTokens += contentTokens(content);
    },
    /** Usage of a request sent at `atMs` and answered at `answeredMs` with this content. */
    request(atMs, answeredMs, content) {
      const cacheRead = atMs - lastUseMs <= cacheTtlMs ? cachedTokens : 0;
      cachedTokens = promptTokens - uncachedTokens;
      lastUseMs = answeredMs;
      const cacheCreation = cachedTokens - cacheRead;
      return {
        input: uncachedTokens,
        output: contentTokens(content),
        cacheRead,
        cacheCreation,
        cacheCreation5m: cacheCreation,
      };
    },
  };
}
