import { expect, it } from "vitest";
import type { ModelRequest } from "../../../core/src/spec/index.ts";
import { isSamePrompt } from "./run-turns.ts";

const request = (text: string, marker?: object): ModelRequest => ({
  model: "claude-opus-4-5",
  max_tokens: 100,
  messages: [{ role: "user", content: [{ type: "text", text, ...marker }] }],
});

it("is the same prompt wherever it is marked for the cache", () => {
  const marked = request("Hello.", { cache_control: { type: "ephemeral" } });
  expect(isSamePrompt(request("Hello."), marked)).toBe(true);
});

it("is another with other words, another model or other fields", () => {
  const one = request("Hello.");
  expect(isSamePrompt(one, request("Bye."))).toBe(false);
  expect(isSamePrompt(one, { ...one, model: "claude-haiku-4-5" })).toBe(false);
  expect(isSamePrompt(one, { ...one, context_management: { edits: [] } })).toBe(false);
});
