import fc from "fast-check";
import { expect, it } from "vitest";
import { toUsage } from "./chunk-reader.ts";

it("divides the prompt into what was read, written and neither", () => {
  expect(
    toUsage({
      prompt_tokens: 3_000,
      completion_tokens: 7,
      prompt_tokens_details: { cached_tokens: 2_048, cache_write_tokens: 500 },
    }),
  ).toEqual({ input: 452, output: 7, cacheRead: 2_048, cacheCreation: 500 });
  expect(toUsage({ prompt_tokens: 10, completion_tokens: 1, prompt_cache_hit_tokens: 4 })).toEqual({
    input: 6,
    output: 1,
    cacheRead: 4,
    cacheCreation: 0,
  });
});

it("is all zero where the server says nothing", () => {
  const nothing = { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };
  for (const usage of [undefined, null, {}, "5", []]) expect(toUsage(usage)).toEqual(nothing);
});

it("has parts that are counts and add up to the prompt, whatever comes", () => {
  const count = fc.oneof(fc.jsonValue(), fc.integer());
  const usage = fc.record({
    prompt_tokens: count,
    completion_tokens: count,
    prompt_tokens_details: fc.record({ cached_tokens: count, cache_write_tokens: count }),
  });
  fc.assert(
    fc.property(usage, (given) => {
      const { input, output, cacheRead, cacheCreation } = toUsage(given);
      const parts = [input, output, cacheRead, cacheCreation];
      expect(parts.every((part) => Number.isInteger(part) && part >= 0)).toBe(true);
      const prompt = Number.isInteger(given.prompt_tokens)
        ? Math.max(0, given.prompt_tokens as number)
        : undefined;
      if (prompt !== undefined) expect(input + cacheRead + cacheCreation).toBe(prompt);
    }),
  );
});
