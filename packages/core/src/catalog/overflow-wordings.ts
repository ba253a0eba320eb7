/**
 * One way of saying "the prompt is too long". The pattern is a regular expression, any case, in which a name in braces
 * stands for a number: `{actual}` tokens sent, `{more}` tokens to add to them (room asked for the answer), `{limit}`
 * tokens that would fit, `{excess}` tokens over the limit.
 */
export interface OverflowWording {
  readonly id: string;
  /** Who is known to say it. */
  readonly servers: readonly string[];
  readonly pattern: string;
}

/** As of November 2026. Tried in order: the ones with more numbers stand before the ones they contain. */
export const overflowWordings: readonly OverflowWording[] = [
  {
    id: "fireworks",
    servers: ["Fireworks"],
    pattern: "prompt is too long: {actual}, model maximum context length: {limit}",
  },
  {
    id: "anthropic",
    servers: ["Anthropic", "Bedrock", "Vertex"],
    pattern: "prompt is too long(?:: {actual} tokens > {limit} maximum)?",
  },
  {
    id: "anthropic-with-output",
    servers: ["Anthropic", "Bedrock", "Vertex"],
    pattern: String.raw`input length and .?max_tokens.? exceed context limit: {actual} \+ {more} > {limit}`,
  },
  {
    id: "anthropic-bytes",
    servers: ["Anthropic"],
    pattern: "request_too_large|request exceeds the maximum (?:size|allowed number of bytes)",
  },
  {
    id: "vllm-output",
    servers: ["vLLM"],
    pattern: String.raw`max_(?:completion_)?tokens.? is too large: {more}\. this model.?s maximum context length is {limit} tokens and your request has {actual} input tokens`,
  },
  {
    id: "openrouter",
    servers: ["OpenRouter"],
    pattern: String.raw`endpoint.?s maximum context length is {limit} tokens(?:\. however, you requested (?:about )?{actual} tokens)?`,
  },
  {
    id: "openai",
    servers: ["OpenAI", "Azure", "vLLM", "DeepSeek", "LM Studio", "Perplexity", "NVIDIA NIM", "Bedrock"],
    pattern: "maximum context length is {limit} tokens(?:[.,] however,? [a-z ]{0,40}{actual})?",
  },
  {
    id: "openai-responses",
    servers: ["OpenAI", "Azure"],
    pattern: "input exceeds the context window of this model",
  },
  {
    id: "cerebras",
    servers: ["Cerebras"],
    pattern: String.raw`reduce the length of the messages or completion\. current length is {actual} while limit is {limit}`,
  },
  { id: "groq", servers: ["Groq"], pattern: "please reduce the length of the messages" },
  {
    id: "vllm-decoder",
    servers: ["vLLM"],
    pattern: String.raw`prompt \((?:total )?length {actual}\) is (?:too long|longer than the maximum model length) (?:to fit into the model \(context length|of) {limit}`,
  },
  {
    id: "vllm-length",
    servers: ["vLLM"],
    pattern: String.raw`input length \({actual}\) exceeds (?:the )?model.?s maximum context length \({limit}\)`,
  },
  {
    id: "sglang",
    servers: ["SGLang", "Together"],
    pattern: String.raw`input \({actual} tokens\) is longer than the model.?s context length \({limit} tokens\)`,
  },
  {
    id: "sglang-with-output",
    servers: ["SGLang"],
    pattern: String.raw`token count exceeds the model.?s maximum context length of {limit} tokens(?:\. you requested a total of {actual} tokens)?`,
  },
  {
    id: "sglang-allowed",
    servers: ["SGLang"],
    pattern: String.raw`input length \({actual} tokens\) exceeds the maximum allowed length \({limit} tokens\)`,
  },
  {
    id: "llama-cpp",
    servers: ["llama.cpp", "LM Studio", "Ollama", "llamafile"],
    pattern: String.raw`request(?: \({actual} tokens\))? exceeds the available context size(?: \({limit} tokens\))?`,
  },
  {
    id: "llama-cpp-python",
    servers: ["llama-cpp-python"],
    pattern: String.raw`requested tokens \({actual}\) exceed context window of {limit}`,
  },
  {
    id: "ollama-excess",
    servers: ["Ollama"],
    pattern: "prompt too long; exceeded (?:max )?context length(?: by {excess} tokens)?",
  },
  { id: "ollama", servers: ["Ollama"], pattern: "input length exceeds (?:the |maximum )?context length" },
  {
    id: "lm-studio",
    servers: ["LM Studio"],
    pattern: String.raw`number of tokens to keep from the initial prompt is greater than the context length(?: \(n_keep: ?{actual} ?>=? ?n_ctx: ?{limit}\))?`,
  },
  {
    id: "lm-studio-keep",
    servers: ["LM Studio"],
    pattern: String.raw`trying to keep the first {actual} tokens when context (?:the )?overflows\. however, the model is loaded with context length of only {limit} tokens`,
  },
  {
    id: "text-generation-inference",
    servers: ["TGI", "Together", "Hugging Face"],
    pattern: String.raw`.?inputs.? must have less than {limit} tokens\. given: {actual}`,
  },
  {
    id: "text-generation-inference-with-output",
    servers: ["TGI", "Together", "Hugging Face"],
    pattern: String.raw`.?inputs.? tokens \+ .?max_new_tokens.? must be <= {limit}\. given: {actual} .?inputs.? tokens and {more} .?max_new_tokens`,
  },
  { id: "bedrock", servers: ["Bedrock"], pattern: "input is too long for (?:the )?requested model" },
  {
    id: "bedrock-titan",
    servers: ["Bedrock"],
    pattern: String.raw`too many input tokens\. max input tokens: {limit}, request input token count: {actual}`,
  },
  {
    id: "bedrock-nova",
    servers: ["Bedrock"],
    pattern: "input tokens exceeded: number of input tokens exceeds maximum length",
  },
  {
    id: "gemini",
    servers: ["Gemini", "Vertex"],
    pattern: String.raw`input token count(?: \({actual}\))? exceeds the maximum number of tokens allowed(?: \(?{limit}\)?)?`,
  },
  {
    id: "vertex",
    servers: ["Vertex"],
    pattern: "input token count is {actual} but (?:the )?model only supports up to {limit}",
  },
  { id: "gemini-bytes", servers: ["Gemini"], pattern: "request payload size exceeds the limit" },
  {
    id: "mistral",
    servers: ["Mistral"],
    pattern:
      "prompt contains {actual} tokens[^.]{0,60}too large for model with {limit} maximum context length",
  },
  {
    id: "cohere",
    servers: ["Cohere"],
    pattern:
      "too many tokens: total number of tokens in the prompt cannot exceed {limit}(?: - received {actual})?",
  },
  {
    id: "cohere-excess",
    servers: ["Cohere"],
    pattern: "too many tokens: size limit exceeded by {excess} tokens",
  },
  {
    id: "xai",
    servers: ["xAI"],
    pattern: "maximum prompt length is {limit}(?: but the request contains {actual} tokens)?",
  },
  {
    id: "copilot",
    servers: ["GitHub Copilot"],
    pattern: "prompt token count of {actual} exceeds the limit of {limit}",
  },
  {
    id: "databricks",
    servers: ["Databricks"],
    pattern: String.raw`prompt token count \({actual}\) cannot exceed {limit}`,
  },
  {
    id: "moonshot",
    servers: ["Moonshot"],
    pattern: String.raw`exceeded model token limit: {limit}(?: \(requested: {actual}\))?`,
  },
  { id: "minimax", servers: ["MiniMax"], pattern: "context window exceeds limit" },
  {
    id: "dashscope",
    servers: ["Alibaba DashScope"],
    pattern: String.raw`range of input length should be \[\d+, ?{limit}\]`,
  },
  { id: "zhipu", servers: ["Z.ai"], pattern: "prompt exceeds max length" },
  {
    id: "sambanova",
    servers: ["SambaNova"],
    pattern:
      "provided prompt is {actual} tokens long[^!]{0,120}maximum supported sequence length is just {limit}",
  },
  {
    id: "cloudflare",
    servers: ["Cloudflare Workers AI"],
    pattern: String.raw`input and maximum output tokens \({actual}\) exceeded this model context window limit \({limit}\)`,
  },
  {
    id: "tensorrt-llm",
    servers: ["TensorRT-LLM", "NVIDIA NIM"],
    pattern: String.raw`prompt length \({actual}\) exceeds maximum input length \({limit}\)`,
  },
  {
    id: "exllama",
    servers: ["TabbyAPI", "ExLlama"],
    pattern: "(?:prompt|context|request) length {actual} is greater than max_seq_len {limit}",
  },
  {
    id: "mlc",
    servers: ["MLC LLM"],
    pattern: "prompt has {actual} tokens in total, larger than the model input length limit {limit}",
  },
  {
    id: "web-llm",
    servers: ["WebLLM"],
    pattern:
      "prompt tokens exceed context window size: number of prompt tokens: {actual}; context window size: {limit}",
  },
  { id: "litellm", servers: ["LiteLLM"], pattern: "ContextWindowExceededError" },
  {
    id: "any-exceeds",
    servers: [],
    pattern: String.raw`(?:prompt|input|request|messages|conversation)\b[^.\n]{0,60}\bexceed(?:s|ed)?\b[^.\n]{0,40}context[ _-]?(?:window|length|size|limit)`,
  },
  {
    id: "any-exceeded",
    servers: [],
    pattern: "context[ _-]?(?:window|length|size|limit)[ _-](?:is |was |has been )?(?:exceeded|overflow)",
  },
  { id: "any-too-long", servers: [], pattern: "(?:prompt|input|conversation) is too long" },
];

/** Error codes and types that mean the same, whatever the text says. */
export const overflowCodes: ReadonlySet<string> = new Set([
  "context_length_exceeded",
  "context_window_exceeded",
  "exceed_context_size_error",
  "model_max_prompt_tokens_exceeded",
  "request_too_large",
]);

export interface CompiledWording {
  readonly id: string;
  readonly expression: RegExp;
}

/** A number of tokens as servers write it, thousands grouped or not. */
const count = String.raw`\d{1,3}(?:[,._'\u2019\u00a0\u202f]\d{3})+(?!\d)|\d+`;

/** Throws a `SyntaxError` when the pattern is no regular expression. */
export function compileWording({ id, pattern }: OverflowWording): CompiledWording {
  const source = pattern.replace(/\{(actual|more|limit|excess)\}/g, (_, name) => `(?<${name}>${count})`);
  return { id, expression: new RegExp(source, "i") };
}
