import { describe, expect, it } from "vitest";
import { normalizeModelName } from "./find-row.ts";

describe("normalizeModelName", () => {
  it.each([
    ["claude-opus-4-5-20251101", "claude-opus-4.5"],
    ["claude-opus-4-20250514", "claude-opus-4"],
    ["claude-opus-4-0", "claude-opus-4"],
    ["anthropic/claude-sonnet-4.0", "claude-sonnet-4"],
    ["claude-opus-4-7", "claude-opus-4.7"],
    ["claude-opus-4-10", "claude-opus-4.10"],
    ["claude-3-5-sonnet-latest", "claude-3.5-sonnet"],
    ["Claude-Sonnet-4-5[1m]", "claude-sonnet-4.5"],
    ["claude-sonnet-4-5-20250929[1M]", "claude-sonnet-4.5"],
    ["claude-sonnet-4-5@20250929", "claude-sonnet-4.5"],
    ["anthropic/claude-opus-4.5", "claude-opus-4.5"],
    ["openrouter/anthropic/claude-sonnet-4.5:beta", "claude-sonnet-4.5"],
    ["us.anthropic.claude-sonnet-4-5-20250929-v1:0", "claude-sonnet-4.5"],
    ["anthropic.claude-opus-4-6-v1", "claude-opus-4.6"],
    ["anthropic.claude-3-5-haiku-20241022-v1:0:200k", "claude-3.5-haiku"],
    [
      "arn:aws:bedrock:us-east-1:1:inference-profile/eu.anthropic.claude-opus-4-5-20251101-v1:0",
      "claude-opus-4.5",
    ],
    ["publishers/anthropic/models/claude-haiku-4-5", "claude-haiku-4.5"],
    ["opus-5.5", "opus-5.5"],
    ["gpt-5.6-2026-08-01", "gpt-5.6"],
    ["openai/gpt-5.6", "gpt-5.6"],
    ["gpt-4-32k", "gpt-4-32k"],
    ["models/gemini-3.1-pro-preview", "gemini-3.1-pro-preview"],
    ["llama3:8b", "llama3:8b"],
    ["deepseek-v3", "deepseek-v3"],
    ["  ", ""],
  ])("writes %s as %s", (name, normalised) => {
    expect(normalizeModelName(name)).toBe(normalised);
  });
});
