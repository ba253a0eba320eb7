import { describe, expect, it } from "vitest";
import type { Model, ModelRequest } from "../../packages/core/src/spec/index.ts";
import { resolveModel } from "../../packages/palimpsest/src/loop/resolve-model.ts";
import { say } from "../../packages/testing/src/index.ts";
import { emulate } from "../support/emulator.ts";

const request = (model: string): ModelRequest => ({
  model,
  max_tokens: 1_000,
  messages: [{ role: "user", content: [{ type: "text", text: "Hello." }] }],
});

async function ask(model: Model): Promise<void> {
  for await (const event of model.stream(request(model.name), new AbortController().signal))
    if (!event.ok) throw event.error;
}

async function reach(name: string) {
  const { emulator } = await emulate({ script: [say("Hi.")] });
  const environment = {
    ANTHROPIC_BASE_URL: emulator.url,
    ANTHROPIC_API_KEY: "sk-ant-not-a-real-key",
    OPENAI_BASE_URL: `${emulator.url}/v1`,
    OPENAI_API_KEY: "sk-not-a-real-key",
  };
  const found = await resolveModel(name, { environment });
  if (!found.ok) throw found.error;
  await ask(found.value);
  const { endpoint, body, headers } = emulator.requests.last ?? {};
  return {
    name: found.value.name,
    endpoint,
    model: body?.model,
    isLong: headers?.["anthropic-beta"]?.includes("context-1m") ?? false,
  };
}

describe("a model by its name", () => {
  it.each([
    ["claude-opus-4-5", "messages", "claude-opus-4-5", false],
    ["anthropic:claude-opus-4-5", "messages", "claude-opus-4-5", false],
    ["anthropic:claude-sonnet-4-5[1m]", "messages", "claude-sonnet-4-5", true],
    ["gpt-5.6", "chat_completions", "gpt-5.6", false],
    ["openai:gpt-5.6", "chat_completions", "gpt-5.6", false],
    ["openai:claude-like", "chat_completions", "claude-like", false],
  ])("%s keeps that name, and its server hears the bare one", async (name, endpoint, model, isLong) => {
    expect(await reach(name)).toEqual({ name, endpoint, model, isLong });
  });

  it("is nobody's where nothing says whose it is", async () => {
    expect(await resolveModel("gpt-5.6", { environment: {} })).toMatchObject({
      ok: false,
      error: { code: "no-model", path: "model" },
    });
  });
});
