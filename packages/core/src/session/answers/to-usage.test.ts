import { describe, expect, it } from "vitest";
import { toUsage } from "./to-usage.ts";

const read = (usage: unknown) => {
  const made = toUsage(usage);
  return made.ok ? made.value : made.error.message;
};

describe("the usage of a response", () => {
  it("of chat completions has what is cached taken out of the prompt", () => {
    expect(
      read({
        prompt_tokens: 1_000,
        completion_tokens: 50,
        total_tokens: 1_050,
        prompt_tokens_details: { cached_tokens: 768, audio_tokens: 0, cache_write_tokens: 100 },
        completion_tokens_details: { reasoning_tokens: 20 },
      }),
    ).toEqual({ input: 132, output: 50, cacheRead: 768, cacheCreation: 100 });
  });

  it.each([
    [{ prompt_tokens: 10, completion_tokens: 2 }, 10, 0],
    [{ prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: null }, 10, 0],
    [{ prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: null } }, 10, 0],
    [{ prompt_tokens: 10, completion_tokens: 2, prompt_cache_hit_tokens: 4 }, 6, 4],
    [{ prompt_tokens: 10, completion_tokens: 2, prompt_tokens_details: { cached_tokens: 99 } }, 0, 10],
  ])("of chat completions may say little of the cache: %j", (usage, input, cacheRead) => {
    expect(read(usage)).toEqual({ input, output: 2, cacheRead, cacheCreation: 0 });
  });

  it("of the Responses API has what is cached taken out of the input", () => {
    expect(
      read({
        input_tokens: 500,
        input_tokens_details: { cached_tokens: 384 },
        output_tokens: 7,
        output_tokens_details: { reasoning_tokens: 0 },
        total_tokens: 507,
      }),
    ).toEqual({ input: 116, output: 7, cacheRead: 384, cacheCreation: 0 });
  });

  it("of the Messages API is taken as it is", () => {
    expect(
      read({
        input_tokens: 5,
        output_tokens: 6,
        cache_read_input_tokens: 7,
        cache_creation_input_tokens: 8,
        cache_creation: { ephemeral_5m_input_tokens: 8, ephemeral_1h_input_tokens: 0 },
      }),
    ).toEqual({
      input: 5,
      output: 6,
      cacheRead: 7,
      cacheCreation: 8,
      cacheCreation5m: 8,
      cacheCreation1h: 0,
    });
  });

  it.each([
    [{ prompt_tokens: "10" }, "usage.prompt_tokens: expected a count of tokens, got 10."],
    [
      { prompt_tokens: 10, prompt_tokens_details: { cached_tokens: -1 } },
      "usage.prompt_tokens_details.cached_tokens: expected a count of tokens, got -1.",
    ],
    [
      { input_tokens: 10, input_tokens_details: {}, output_tokens: -2 },
      "usage.output_tokens: expected a count of tokens, got -2.",
    ],
    [[], "usage: expected a count of tokens, got ."],
  ])("is refused where it is no count: %j", (usage, message) => {
    expect(read(usage)).toBe(message);
  });

  it("is none where there is none", () => {
    expect([read(undefined), read(null)]).toEqual([undefined, undefined]);
  });
});
