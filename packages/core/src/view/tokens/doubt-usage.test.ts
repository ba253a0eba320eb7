import { describe, expect, it } from "vitest";
import type { Usage } from "../../spec/index.ts";
import { doubtUsage } from "./count-tokens.ts";

const usageOf = (input: number, output = 10, more: Partial<Usage> = {}): Usage => ({
  input,
  output,
  cacheRead: 0,
  cacheCreation: 0,
  ...more,
});

const doubt = (usage: Usage, promptEstimate: number, more: object = {}) =>
  doubtUsage({ usage, promptEstimate, answerEstimate: 10, windowTokens: 200_000, isEdited: false, ...more });

describe("the usage of a response", () => {
  it.each<[string, Usage, number]>([
    ["what was estimated", usageOf(1_000), 1_000],
    ["four times as many as were estimated", usageOf(400_000), 100_000],
    ["hidden prompts that fill a window", usageOf(200_000), 500],
    ["hidden thinking", usageOf(500, 100_000), 500],
    ["a prompt that was read from the cache", usageOf(3, 10, { cacheRead: 40_000 }), 50_000],
    ["few tokens for little", usageOf(1), 9_999],
    ["nothing", usageOf(0, 0), 50_000],
  ])("can be %s", (_name, usage, estimate) => {
    expect(doubt(usage, estimate)).toBe(null);
  });

  it.each<[Usage, number, string]>([
    [usageOf(1e12), 500, "1000000000000 tokens are reported for a prompt of about 500."],
    [usageOf(0, 10, { cacheRead: 1e7 }), 500, "10000000 tokens are reported for a prompt of about 500."],
    [usageOf(500, 1e12), 500, "1000000000000 tokens are reported for an answer of about 10."],
    [usageOf(1), 50_000, "1 tokens are reported for a prompt of about 50000."],
  ])("cannot be %j for %i tokens", (usage, estimate, why) => {
    expect(doubt(usage, estimate)).toBe(why);
  });

  it("can be a small part of what was sent where the provider left out the rest", () => {
    expect(doubt(usageOf(100), 50_000, { isEdited: true })).toBe(null);
  });
});
