import { describe, expect, it } from "vitest";
import { emulate, hello } from "../../../../test/support/emulator.ts";
import { say } from "../../../testing/src/index.ts";
import { anthropic } from "../models/anthropic/index.ts";
import { providerOf } from "../models/model-keys.ts";
import { openai } from "../models/openai/index.ts";
import { resolveModel, toBareName } from "./resolve-model.ts";

describe("a model's name", () => {
  it("says whose it is, and is short where that is said without its provider", () => {
    const names = [
      "claude-opus-4-5",
      "anthropic:claude-opus-4-5",
      "openai:gpt-5.6",
      "llama3",
      "openai:claude-like",
    ];
    expect(names.map((name) => [providerOf(name), toBareName(name)])).toEqual([
      ["anthropic", "claude-opus-4-5"],
      ["anthropic", "claude-opus-4-5"],
      ["openai", "gpt-5.6"],
      ["openai", "llama3"],
      ["openai", "openai:claude-like"],
    ]);
  });

  it("reaches the server without its provider and its window", async () => {
    const { emulator } = await emulate({ script: [say("One."), say("Two.")] });
    const environment = {
      ANTHROPIC_BASE_URL: emulator.url,
      ANTHROPIC_API_KEY: "sk-test",
      OPENAI_BASE_URL: `${emulator.url}/v1`,
      OPENAI_API_KEY: "sk-test",
    };
    for (const name of ["anthropic:claude-sonnet-4-5[1m]", "openai:gpt-5.6"]) {
      const model = await resolveModel(name, { environment });
      if (!model.ok) throw model.error;
      const request = {
        ...hello,
        model: name,
        messages: [{ role: "user", content: [{ type: "text", text: "Hi." }] }],
      } as const;
      for await (const event of model.value.stream(request, new AbortController().signal))
        if (!event.ok) throw event.error;
    }
    expect([...emulator.requests].map(({ body }) => body?.model)).toEqual(["claude-sonnet-4-5", "gpt-5.6"]);
  });

  it.each([
    [anthropic("claude-opus-4-5", { apiKey: "k" }), "claude-haiku-4-5", "claude-haiku-4-5"],
    [anthropic("claude-opus-4-5", { apiKey: "k" }), "anthropic:mine", "mine"],
    [anthropic("claude-opus-4-5", { apiKey: "k" }), "gpt-5.6", undefined],
    [anthropic("claude-opus-4-5", { apiKey: "k" }), "openai:gpt-5.6", undefined],
    [anthropic("mine", { apiKey: "k" }), "another", "another"],
    [openai("gpt-5.6", { apiKey: "k" }), "gpt-5.6-mini", "gpt-5.6-mini"],
    [openai("gpt-5.6", { apiKey: "k" }), "claude-haiku-4-5", undefined],
    [openai("anthropic/claude-opus-4.5", { apiKey: "k" }), "claude-haiku-4-5", "claude-haiku-4-5"],
  ])("is served beside the given model, or by somebody else: %o, %s", (given, name, sibling) => {
    expect(given.sibling?.(name)?.name).toBe(sibling);
  });

  it("must lead somewhere", async () => {
    expect(await resolveModel("llama3", { environment: {} })).toMatchObject({
      ok: false,
      error: { code: "no-model" },
    });
  });
});
