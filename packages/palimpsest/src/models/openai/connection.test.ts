import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../../../core/src/spec/index.ts";
import { resolveConnection } from "./connection.ts";

const resolve = (model: string, options: object = {}, environment: Record<string, string> = {}) =>
  resolveConnection(model, { ...options, environment });

describe("where requests to a chat server go", () => {
  it("is OpenAI unless option or environment say otherwise, in this order", () => {
    const environment = { OPENAI_BASE_URL: "http://localhost:11434/v1", OPENAI_API_KEY: "env" };
    expect(resolve("gpt-4.1", {}, { OPENAI_API_KEY: "env" })).toEqual({
      baseURL: "https://api.openai.com/v1",
      apiKey: "env",
      host: "api.openai.com",
      isLoopback: false,
      chat: { maxTokensField: "max_completion_tokens", images: true, documents: true },
    });
    expect(resolve("llama3", {}, environment)).toEqual({
      baseURL: "http://localhost:11434/v1",
      apiKey: "env",
      host: "localhost:11434",
      isLoopback: true,
      chat: { maxTokensField: "max_tokens", images: true, documents: false },
    });
    expect(
      resolve("a/b", { baseURL: "https://openrouter.ai/api/v1", apiKey: "own" }, environment),
    ).toMatchObject({
      apiKey: "own",
      host: "openrouter.ai",
      chat: { maxTokensField: "max_tokens", documents: true },
    });
  });

  it("decides which field has the length of the answer", () => {
    const baseURL = "http://proxy.example/v1";
    expect(resolve("gpt-5.6", { baseURL }).chat.maxTokensField).toBe("max_completion_tokens");
    expect(resolve("gpt-oss-20b", { baseURL }).chat.maxTokensField).toBe("max_tokens");
    const chosen = { baseURL, maxTokensField: "max_completion_tokens" as const };
    expect(resolve("qwen3", chosen).chat.maxTokensField).toBe("max_completion_tokens");
  });

  it.each([
    ["http://127.0.0.1:8080", true],
    ["http://127.8.8.8/v1", true],
    ["http://[::1]:8080/v1", true],
    ["http://models.localhost/v1", true],
    ["http://localhost.example.com/v1", false],
    ["http://127.0.0.1.example.com/v1", false],
    ["http://10.0.0.1/v1", false],
  ])("knows whether %s is this machine", (baseURL, isLoopback) => {
    expect(resolve("m", { baseURL }).isLoopback).toBe(isLoopback);
  });

  it("refuses addresses that are none or hold a secret, and repeats none of them", () => {
    for (const baseURL of ["nowhere", "file:///etc/passwd", "http://user:secret@host:1/v1"]) {
      let thrown: unknown;
      try {
        resolve("m", { baseURL });
      } catch (error) {
        thrown = error;
      }
      expect(PalimpsestError.isInstance(thrown) && thrown.code).toBe("invalid-input");
      expect(String(thrown)).not.toContain(baseURL);
    }
  });
});
