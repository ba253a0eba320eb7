import { describe, expect, it } from "vitest";
import { isOverflow, type ModelFailure } from "./is-overflow.ts";
import { overflowCodes, overflowWordings } from "./overflow-wordings.ts";

/** Wording, status, message, limit and actual count where the message names them. */
const sayings: readonly (readonly [string, number, string, number?, number?])[] = [
  ["anthropic", 400, "prompt is too long: 210,431 tokens > 200,000 maximum", 200_000, 210_431],
  ["anthropic", 400, "prompt is too long: 210431 tokens > 200000 maximum", 200_000, 210_431],
  ["anthropic", 413, "Prompt is too long"],
  [
    "anthropic-with-output",
    400,
    "input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000, decrease input length or `max_tokens` and try again",
    200_000,
    210_000,
  ],
  ["anthropic-bytes", 413, "Request exceeds the maximum size"],
  [
    "anthropic-bytes",
    413,
    '{"type":"error","error":{"type":"request_too_large","message":"Request exceeds the maximum allowed number of bytes."}}',
  ],
  [
    "openai",
    400,
    "This model's maximum context length is 128000 tokens. However, your messages resulted in 130512 tokens. Please reduce the length of the messages.",
    128_000,
    130_512,
  ],
  [
    "openai",
    400,
    "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (5000 in the messages, 4000 in the completion). Please reduce the length of the messages or completion.",
    8_192,
    9_000,
  ],
  [
    "openai",
    400,
    "This model's maximum context length is 4097 tokens, however you requested 5000 tokens (4500 in your prompt; 500 for the completion). Please reduce your prompt; or completion length.",
    4_097,
    5_000,
  ],
  [
    "openai",
    400,
    "This model's maximum context length is 16384 tokens. However, your request has 20000 input tokens. Please reduce the length of the input messages.",
    16_384,
    20_000,
  ],
  [
    "openai",
    400,
    "This model's maximum context length is 8192 tokens. Please reduce the length of the prompt",
    8_192,
  ],
  [
    "openai-responses",
    400,
    "Your input exceeds the context window of this model. Please adjust your input and try again.",
  ],
  [
    "vllm-output",
    400,
    "'max_tokens' or 'max_completion_tokens' is too large: 2000. This model's maximum context length is 16384 tokens and your request has 15000 input tokens (2000 > 16384 - 15000).",
    16_384,
    17_000,
  ],
  [
    "vllm-decoder",
    400,
    "The decoder prompt (length 5000) is longer than the maximum model length of 4096. Make sure that `max_model_len` is no smaller than the number of text tokens.",
    4_096,
    5_000,
  ],
  [
    "vllm-decoder",
    400,
    "The prompt (total length 5000) is too long to fit into the model (context length 4096). Make sure that `max_model_len` is no smaller than the number of text tokens plus multimodal tokens.",
    4_096,
    5_000,
  ],
  ["vllm-length", 400, "Input length (5000) exceeds model's maximum context length (4096).", 4_096, 5_000],
  [
    "llama-cpp",
    400,
    "request (5123 tokens) exceeds the available context size (4096 tokens), try increasing it",
    4_096,
    5_123,
  ],
  [
    "llama-cpp",
    500,
    "the request exceeds the available context size. try increasing the context size or enable context shift",
  ],
  ["llama-cpp-python", 400, "Requested tokens (5000) exceed context window of 4096", 4_096, 5_000],
  ["ollama", 400, "the input length exceeds the context length"],
  ["ollama", 500, "input length exceeds maximum context length"],
  [
    "lm-studio",
    400,
    "The number of tokens to keep from the initial prompt is greater than the context length. Try to load the model with a larger context length, or provide a shorter input",
  ],
  [
    "lm-studio",
    400,
    "The number of tokens to keep from the initial prompt is greater than the context length (n_keep: 5000>= n_ctx: 4096).",
    4_096,
    5_000,
  ],
  [
    "lm-studio-keep",
    400,
    "Trying to keep the first 5000 tokens when context the overflows. However, the model is loaded with context length of only 4096 tokens, which is not enough. Try to load the model with a larger context length, or provide a shorter input",
    4_096,
    5_000,
  ],
  [
    "text-generation-inference",
    422,
    "Input validation error: `inputs` must have less than 1024 tokens. Given: 1500",
    1_024,
    1_500,
  ],
  [
    "text-generation-inference-with-output",
    422,
    "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 8193. Given: 8000 `inputs` tokens and 512 `max_new_tokens`",
    8_193,
    8_512,
  ],
  [
    "openrouter",
    400,
    'This endpoint\'s maximum context length is 200000 tokens. However, you requested about 210000 tokens (190000 of text input, 20000 in the output). Please reduce the length of either one, or use the "middle-out" transform to compress your prompt automatically.',
    200_000,
    210_000,
  ],
  ["bedrock", 400, "The model returned the following errors: Input is too long for requested model."],
  [
    "bedrock-titan",
    400,
    "400 Bad Request: Too many input tokens. Max input tokens: 8192, request input token count: 9100",
    8_192,
    9_100,
  ],
  [
    "bedrock-nova",
    400,
    "Input Tokens Exceeded: Number of input tokens exceeds maximum length. Please update the input to try again.",
  ],
  [
    "gemini",
    400,
    "The input token count (1100000) exceeds the maximum number of tokens allowed (1048576).",
    1_048_576,
    1_100_000,
  ],
  ["gemini", 400, "The input token count exceeds the maximum number of tokens allowed 1048575.", 1_048_575],
  ["gemini-bytes", 400, "Request payload size exceeds the limit: 20971520 bytes."],
  [
    "vertex",
    400,
    "Unable to submit request because the input token count is 33000 but model only supports up to 32760. Reduce the input token count and try again.",
    32_760,
    33_000,
  ],
  ["groq", 400, "Please reduce the length of the messages or completion."],
  [
    "cerebras",
    400,
    "Please reduce the length of the messages or completion. Current length is 9001 while limit is 8192",
    8_192,
    9_001,
  ],
  [
    "mistral",
    400,
    "Prompt contains 40000 tokens and 0 draft tokens, too large for model with 32768 maximum context length",
    32_768,
    40_000,
  ],
  [
    "mistral",
    400,
    "Prompt contains 33000 tokens, too large for model with 32768 maximum context length",
    32_768,
    33_000,
  ],
  [
    "cohere",
    400,
    "too many tokens: total number of tokens in the prompt cannot exceed 4081 - received 5000. Try using a shorter prompt, or enable prompt truncating.",
    4_081,
    5_000,
  ],
  [
    "xai",
    400,
    "This model's maximum prompt length is 131072 but the request contains 200123 tokens.",
    131_072,
    200_123,
  ],
  [
    "sglang",
    400,
    "The input (5000 tokens) is longer than the model's context length (4096 tokens).",
    4_096,
    5_000,
  ],
  [
    "sglang-with-output",
    400,
    "Requested token count exceeds the model's maximum context length of 4096 tokens. You requested a total of 5000 tokens: 4500 tokens from the input messages and 500 tokens for the completion. Please reduce the number of tokens in the input messages or the completion to fit within the limit.",
    4_096,
    5_000,
  ],
  [
    "sglang-allowed",
    400,
    "Input length (5000 tokens) exceeds the maximum allowed length (4090 tokens). Use a shorter input or enable --allow-auto-truncate.",
    4_090,
    5_000,
  ],
  ["copilot", 400, "prompt token count of 200000 exceeds the limit of 128000", 128_000, 200_000],
  [
    "databricks",
    400,
    "Bad request: prompt token count (5000) cannot exceed 4096. Please decrease the length of your prompt and try again.",
    4_096,
    5_000,
  ],
  [
    "moonshot",
    400,
    "Invalid request: Your request exceeded model token limit: 131072 (requested: 140000)",
    131_072,
    140_000,
  ],
  ["moonshot", 400, "Invalid request: Your request exceeded model token limit: 131072", 131_072],
  ["minimax", 400, "invalid params, context window exceeds limit (2013)"],
  [
    "fireworks",
    400,
    "The prompt is too long: 140000, model maximum context length: 131071",
    131_071,
    140_000,
  ],
  [
    "dashscope",
    400,
    "<400> InternalError.Algo.InvalidParameter: Range of input length should be [1, 98304]",
    98_304,
  ],
  ["zhipu", 400, "Prompt exceeds max length"],
  [
    "sambanova",
    400,
    "Requested generation length 1 is not possible! The provided prompt is 5000 tokens long, so generating 1 tokens requires a sequence length of 5001, but the maximum supported sequence length is just 4096!",
    4_096,
    5_000,
  ],
  [
    "cloudflare",
    400,
    "AiError: The estimated number of input and maximum output tokens (9000) exceeded this model context window limit (7968).",
    7_968,
    9_000,
  ],
  [
    "tensorrt-llm",
    400,
    "Prompt length (5000) exceeds maximum input length (4096). Set log level to info and check TRTGptModel logs for how maximum input length is set",
    4_096,
    5_000,
  ],
  ["exllama", 400, "Prompt length 5000 is greater than max_seq_len 4096", 4_096, 5_000],
  [
    "mlc",
    400,
    "Request prompt has 5000 tokens in total, larger than the model input length limit 4096.",
    4_096,
    5_000,
  ],
  [
    "web-llm",
    400,
    "ContextWindowSizeExceededError: Prompt tokens exceed context window size: number of prompt tokens: 5000; context window size: 4096.",
    4_096,
    5_000,
  ],
  [
    "anthropic",
    400,
    'litellm.ContextWindowExceededError: litellm.BadRequestError: AnthropicException - {"message":"prompt is too long: 210431 tokens > 200000 maximum"}',
    200_000,
    210_431,
  ],
  ["litellm", 400, "litellm.ContextWindowExceededError: something a backend said"],
  ["any-exceeds", 400, "Your conversation of 12 messages exceeds our context window"],
  ["any-exceeded", 500, "upstream said context_length_exceeded"],
  ["any-too-long", 422, "The conversation is too long"],
];

describe("isOverflow", () => {
  for (const [wording, status, message, limitTokens, actualTokens] of sayings) {
    it(`hears ${wording} with ${status}: ${message}`, () => {
      const hasBoth = limitTokens !== undefined && actualTokens !== undefined;
      expect(isOverflow({ status, message })).toEqual({
        overflow: true,
        wording,
        ...(limitTokens !== undefined && { limitTokens }),
        ...(actualTokens !== undefined && { actualTokens }),
        ...(hasBoth && { excessTokens: actualTokens - limitTokens }),
      });
    });
  }

  it.each([
    ["ollama-excess", "prompt too long; exceeded max context length by 1,234 tokens"],
    [
      "cohere-excess",
      "too many tokens: size limit exceeded by 1234 tokens. Try using shorter or fewer inputs.",
    ],
  ])("hears %s, which names only the excess", (wording, message) => {
    expect(isOverflow({ status: 400, message })).toEqual({ overflow: true, wording, excessTokens: 1_234 });
  });

  it("has an example for every wording", () => {
    const shown = new Set([...sayings.map(([wording]) => wording), "ollama-excess", "cohere-excess"]);
    expect(overflowWordings.map(({ id }) => id).filter((id) => !shown.has(id))).toEqual([]);
  });

  it.each([...overflowCodes])("takes the code %s whatever the text and the status", (code) => {
    expect(isOverflow({ status: 429, code, message: "no" })).toEqual({ overflow: true, wording: code });
    expect(isOverflow({ code: code.toUpperCase(), message: "" })).toMatchObject({ overflow: true });
  });

  it("takes the numbers from the text when the code told", () => {
    const message = "This model's maximum context length is 8192 tokens. However, you requested 9000 tokens.";
    expect(isOverflow({ status: 400, code: "context_length_exceeded", message })).toMatchObject({
      limitTokens: 8_192,
      actualTokens: 9_000,
      excessTokens: 808,
    });
  });

  it("takes 413 as an overflow whatever the text", () => {
    expect(isOverflow({ status: 413, message: "<html>413 Request Entity Too Large</html>" })).toEqual({
      overflow: true,
      wording: "413",
    });
  });

  it("needs no status: a failure may come inside a stream", () => {
    expect(isOverflow({ message: "prompt is too long" })).toEqual({ overflow: true, wording: "anthropic" });
  });

  it.each(["1,048,577", "1.048.577", "1_048_577", "1'048'577", "1\u00a0048\u00a0577", "1\u202f048\u202f577"])(
    "reads %s as one number",
    (number) => {
      const message = `prompt is too long: ${number} tokens > 1000000 maximum`;
      expect(isOverflow({ status: 400, message })).toMatchObject({ actualTokens: 1_048_577 });
    },
  );

  const others: readonly ModelFailure[] = [
    {
      status: 429,
      code: "rate_limit_error",
      message: "This request would exceed your organization's rate limit of 40,000 input tokens per minute.",
    },
    {
      status: 429,
      code: "rate_limit_exceeded",
      message:
        "Request too large for gpt-5.6 in organization org-x on tokens per min (TPM): Limit 30000, Requested 45000. The input or output tokens must be reduced in order to run successfully.",
    },
    {
      status: 413,
      code: "rate_limit_exceeded",
      message:
        "Request too large for model `llama-3.1-8b` in organization `org` service tier `on_demand` on tokens per minute (TPM): Limit 6000, Requested 9000, please reduce your message size and try again.",
    },
    {
      status: 400,
      message: "Rate limit reached: 5000 tokens of the prompt is too long a burst. Please try again in 12s.",
    },
    { status: 429, message: "Too many tokens, please wait before trying again." },
    { status: 400, message: "ThrottlingException: Too many tokens, please wait before trying again." },
    {
      status: 429,
      message: "Quota exceeded for metric: generate_content_free_tier_input_token_count, limit: 250000",
    },
    { status: 429, message: "Extra usage is required for long context requests." },
    { status: 529, code: "overloaded_error", message: "Overloaded" },
    {
      status: 400,
      message:
        "max_tokens: 100000 > 64000, which is the maximum allowed number of output tokens for claude-opus-4-5-20251101",
    },
    {
      status: 400,
      message:
        "max_tokens is too large: 100000. This model supports at most 16384 completion tokens, whereas you provided 100000.",
    },
    {
      status: 400,
      message:
        "`max_tokens` must be less than or equal to `8192`, the maximum value for `max_tokens` is less than the `context_window` for this model",
    },
    {
      status: 400,
      message:
        "The maximum tokens you requested exceeds the model limit of 4096. Try again with a maximum tokens value that is lower than 4096.",
    },
    {
      status: 400,
      message:
        "Unable to submit request because it has a maxOutputTokens value of 10000 but the supported range is from 1 (inclusive) to 8193 (exclusive).",
    },
    {
      status: 400,
      message:
        "Could not finish the message because max_tokens or model output limit was reached. Please try again with higher max_tokens.",
    },
    {
      status: 402,
      message:
        "This request requires more credits, or fewer max_tokens. You requested up to 64000 tokens, but can only afford 1234.",
    },
    {
      status: 400,
      message:
        "messages.3.content.0.image.source.base64: image exceeds 5 MB maximum: 6914748 bytes > 5242880 bytes",
    },
    { status: 400, message: "tools.0.custom.description: String should have at most 1024 characters" },
    { status: 400, message: "max_tokens must be greater than thinking.budget_tokens" },
    { status: 400, message: "The long context beta is not yet available for this subscription." },
    { status: 404, message: "model: claude-opus-9 prompt is too long" },
    { status: 500, message: "Internal server error" },
    { status: 400, message: "" },
  ];

  it.each(others.map((failure) => [failure.status, failure.message, failure] as const))(
    "does not mistake %i: %s",
    (_status, _message, failure) => {
      expect(isOverflow(failure)).toEqual({ overflow: false });
    },
  );

  it("looks only at the beginning of a very long body", () => {
    const wording = "prompt is too long";
    const room = 16_384 - wording.length;
    expect(isOverflow({ status: 400, message: `${"x".repeat(room)}${wording}` })).toMatchObject({
      overflow: true,
    });
    expect(isOverflow({ status: 400, message: `${"x".repeat(room + 1)}${wording}` })).toEqual({
      overflow: false,
    });
  });
});
