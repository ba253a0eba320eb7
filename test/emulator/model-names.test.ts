import { OpenAI } from "openai";
import { describe, expect, it } from "vitest";
import type { Emulator } from "../../packages/testing/src/index.ts";
import { emulate, hello } from "../support/emulator.ts";

function chatClient({ url }: Emulator): OpenAI {
  return new OpenAI({ baseURL: `${url}/v1`, apiKey: "any", maxRetries: 0, logLevel: "off" });
}

const question = (model: string) => ({ model, messages: [{ role: "user" as const, content: "Hello." }] });

describe("the model that an answer names", () => {
  it.each([
    ["claude-opus-4-5", "claude-opus-4-5-20251101"],
    ["claude-sonnet-4-5", "claude-sonnet-4-5-20250929"],
    ["claude-haiku-4-5", "claude-haiku-4-5-20251001"],
    ["claude-opus-4-1", "claude-opus-4-1-20250805"],
    ["claude-opus-4-0", "claude-opus-4-20250514"],
    ["claude-sonnet-4-0", "claude-sonnet-4-20250514"],
    ["claude-3-7-sonnet-latest", "claude-3-7-sonnet-20250219"],
    ["claude-sonnet-4-5-20250929", "claude-sonnet-4-5-20250929"],
    ["claude-opus-5-5", "claude-opus-5-5"],
  ])("is at the Messages API for %s: %s", async (asked, answered) => {
    const { client } = await emulate();
    expect((await client.messages.create({ ...hello, model: asked })).model).toBe(answered);
  });

  it.each([
    ["gpt-4", "gpt-4-0613"],
    ["gpt-4o", "gpt-4o-2024-08-06"],
    ["gpt-5", "gpt-5-2025-08-07"],
    ["gpt-4o-2024-05-13", "gpt-4o-2024-05-13"],
    ["qwen2.5-coder", "qwen2.5-coder"],
  ])("is at chat completions for %s: %s", async (asked, answered) => {
    const { emulator } = await emulate();
    expect((await chatClient(emulator).chat.completions.create(question(asked))).model).toBe(answered);
  });

  it("is the dated one of an alias among the models given, which are listed as they were given", async () => {
    const { client } = await emulate({ models: ["claude-opus-4-5"] });
    expect((await client.messages.create(hello)).model).toBe("claude-opus-4-5-20251101");
    expect((await client.models.list()).data).toMatchObject([{ id: "claude-opus-4-5" }]);
  });

  it("is the one it was told, in streams and at both APIs", async () => {
    const { emulator, client } = await emulate({ answerModel: "/models/some.gguf" });
    const message = await client.messages.stream(hello).finalMessage();
    const completion = await chatClient(emulator).chat.completions.create(question("gpt-4"));
    expect([message.model, completion.model]).toEqual(["/models/some.gguf", "/models/some.gguf"]);
  });

  it("is what a function makes of the name that was asked, or none", async () => {
    const names = ["vendor/a", "", undefined];
    const asked: string[] = [];
    const { client } = await emulate({
      answerModel(name) {
        asked.push(name);
        return names[asked.length - 1];
      },
    });
    const answers = [];
    for (const _ of names) answers.push(await client.messages.create(hello));
    expect(answers.map(({ model }) => model)).toEqual(names);
    expect("model" in (answers[2] ?? {})).toBe(false);
    expect(asked).toEqual(["claude-opus-4-5", "claude-opus-4-5", "claude-opus-4-5"]);
  });

  it("changes nothing in the cache, which an alias shares with its dated name", async () => {
    let answers = 0;
    const { client } = await emulate({
      answerModel() {
        answers += 1;
        return `vendor/model-${answers}`;
      },
    });
    const ask = (model: string) =>
      client.messages.create({
        ...hello,
        model,
        system: [{ type: "text", text: "word ".repeat(8_000), cache_control: { type: "ephemeral" } }],
      });
    const reads: (number | null)[] = [];
    for (const model of ["claude-opus-4-5", "claude-opus-4-5", "claude-opus-4-5-20251101", "claude-opus-4-1"])
      reads.push((await ask(model)).usage.cache_read_input_tokens);
    expect(reads.map((tokens) => Number(tokens) > 0)).toEqual([false, true, true, false]);
  });
});
