import { describe, expect, it } from "vitest";
import { chatCapabilities, readCapabilities } from "./connection.ts";

describe("what a list of models says", () => {
  it.each<[string, object, object]>([
    ["vLLM", { max_model_len: 32_768 }, { contextWindow: 32_768 }],
    [
      "OpenRouter",
      { context_length: 200_000, top_provider: { max_completion_tokens: 64_000 } },
      { contextWindow: 200_000, maxOutput: 64_000 },
    ],
    [
      "Groq",
      { context_window: 131_072, max_completion_tokens: 8_192 },
      { contextWindow: 131_072, maxOutput: 8_192 },
    ],
    ["llama.cpp", { meta: { n_ctx_train: 8_192 } }, { contextWindow: 8_192 }],
    ["OpenAI", {}, {}],
    [
      "a server with odd values",
      { max_model_len: "many", context_length: -1, meta: { n_ctx_train: 1.5 } },
      {},
    ],
  ])("is read as %s writes it", (_, fields, expected) => {
    const models = [{ id: "other", max_model_len: 1 }, { id: "m", ...fields }, null, 3];
    expect(readCapabilities(models, "m", false)).toEqual({ ...chatCapabilities, ...expected });
  });

  it("is that of the only model of a server on this machine, whatever its name", () => {
    const models = [{ id: "/models/a.gguf", meta: { n_ctx_train: 4_096 } }];
    expect(readCapabilities(models, "m", true)).toEqual({ ...chatCapabilities, contextWindow: 4_096 });
    expect(readCapabilities(models, "m", false)).toEqual(chatCapabilities);
  });
});
