import { describe, expect, it } from "vitest";
import type { ModelRequest } from "../../packages/core/src/spec/index.ts";
import { answer, callTool, createVirtualClock, say, think } from "../../packages/testing/src/index.ts";
import { collect, emulateChat, hello, name, requestOf } from "./openai-support.ts";

const tools = [
  { name: "Read", input_schema: { type: "object", properties: { path: { type: "string" } } } },
  { name: "Now", input_schema: { type: "object" } },
];
const png =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("a model behind chat completions", () => {
  it("speaks", async () => {
    const { model, emulator } = await emulateChat({ script: [say("Good day, whoever you are.")] });
    const { events, response } = await collect(model);
    const usage = emulator.requests.last?.usage;
    expect(response).toEqual({
      id: "chatcmpl-000001",
      model: "gpt-4.1-2025-04-14",
      content: [{ type: "text", text: "Good day, whoever you are." }],
      stopReason: "end_turn",
      usage: { input: usage?.input_tokens, output: usage?.output_tokens, cacheRead: 0, cacheCreation: 0 },
    });
    expect(events.map(({ type }) => type)).toEqual([
      "response-start",
      "block-start",
      "block-delta",
      "block-delta",
      "block-end",
      "response-end",
    ]);
    expect(emulator.requests.last).toMatchObject({
      endpoint: "chat_completions",
      outcome: "answered",
      body: { model: name, max_tokens: 1_000, stream: true, stream_options: { include_usage: true } },
    });
  });

  it("thinks and calls tools side by side, gets their results, and goes on", async () => {
    const { model, emulator } = await emulateChat({
      script: [
        [think("Two things."), say("I look."), callTool("Read", { path: "a/ü.ts" }), callTool("Now")],
        say("Done."),
      ],
    });
    const asked: ModelRequest = { ...requestOf({ type: "text", text: "Look." }), tools };
    const { response: first } = await collect(model, asked);
    expect(first).toMatchObject({
      content: [
        { type: "thinking", thinking: "Two things." },
        { type: "text", text: "I look." },
        { type: "tool_use", id: "call_000001", name: "Read", input: { path: "a/ü.ts" } },
        { type: "tool_use", id: "call_000002", name: "Now", input: {} },
      ],
      stopReason: "tool_use",
    });
    const next: ModelRequest = {
      ...asked,
      messages: [
        ...asked.messages,
        { role: "assistant", content: first?.content ?? [] },
        {
          role: "user",
          content: [
            { type: "tool_result", tool_use_id: "call_000002", content: "noon", is_error: true },
            {
              type: "tool_result",
              tool_use_id: "call_000001",
              content: [{ type: "image", source: { type: "base64", media_type: "image/png", data: png } }],
            },
          ],
        },
      ],
    };
    const { response } = await collect(model, next);
    expect(response).toMatchObject({ content: [{ type: "text", text: "Done." }], stopReason: "end_turn" });
    const sent = emulator.requests.last?.body?.messages as readonly { readonly role: string }[];
    expect(sent.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "tool", "user"]);
    expect(emulator.requests.last?.whole?.messages).toMatchObject([
      { role: "user" },
      { role: "assistant", content: [{ type: "text" }, { type: "tool_use" }, { type: "tool_use" }] },
      {
        role: "user",
        content: [
          { tool_use_id: "call_000001", content: "[The image follows behind the results.]" },
          { tool_use_id: "call_000002", content: "Error: noon" },
          { text: "The image that Read gave (call call_000001):" },
          { type: "image", source: { type: "base64", media_type: "image/png", data: png } },
        ],
      },
    ]);
  });

  it("says why it stopped", async () => {
    const { model } = await emulateChat({
      script: [
        say("word ".repeat(500)),
        callTool("Write", { text: "word ".repeat(500) }, "call_long"),
        answer([say("No.")], { stopReason: "refusal" }),
        { type: "refusal", refusal: "I will not." },
      ],
    });
    const short = { ...hello, max_tokens: 20 };
    expect((await collect(model, short)).response).toMatchObject({
      stopReason: "max_tokens",
      usage: { output: 20 },
    });
    const { response: cut } = await collect(model, short);
    expect(cut).toMatchObject({
      content: [],
      brokenCalls: [{ toolUseId: "call_long", name: "Write" }],
      stopReason: "max_tokens",
    });
    expect(cut?.brokenCalls?.[0]?.json).toMatch(/^\{"text":"word/);
    expect((await collect(model)).response).toMatchObject({
      content: [{ text: "No." }],
      stopReason: "refusal",
      stopDetails: "content_filter",
    });
    expect((await collect(model)).response).toMatchObject({
      stopReason: "refusal",
      stopDetails: "I will not.",
    });
  });

  it("stops at the sequences of the request", async () => {
    const { model } = await emulateChat({ script: [say("one END two")] });
    const { response } = await collect(model, { ...hello, stop_sequences: ["END"] });
    expect(response).toMatchObject({ content: [{ text: "one " }], stopReason: "end_turn" });
  });

  it("reads what it said before from the cache, until that has gone", async () => {
    const clock = createVirtualClock();
    const { model, emulator } = await emulateChat({ clock, script: () => say("Noted.") });
    const text = "All work and no play. ".repeat(400);
    const first = requestOf({ type: "text", text });
    const { response } = await collect(model, first);
    expect(response?.usage).toMatchObject({ cacheRead: 0 });
    const next: ModelRequest = {
      ...first,
      messages: [
        ...first.messages,
        { role: "assistant", content: response?.content ?? [] },
        { role: "user", content: [{ type: "text", text: "And now?" }] },
      ],
    };
    const { usage } = (await collect(model, next)).response ?? {};
    expect(usage?.cacheRead).toBeGreaterThan(1_024);
    expect((usage?.cacheRead ?? 1) % 128).toBe(0);
    expect((usage?.input ?? 0) + (usage?.cacheRead ?? 0)).toBe(emulator.requests.last?.promptTokens);
    await clock.advance(300_000);
    expect((await collect(model, next)).response?.usage.cacheRead).toBe(0);
  });

  it("asks newer models of OpenAI in the field that they take", async () => {
    const { model } = await emulateChat({ script: () => say("Hi.") });
    const newer = { ...hello, model: "gpt-5.6" };
    expect((await collect(model, newer)).code).toBe("request-invalid");
    const { model: other } = await emulateChat({}, { maxTokensField: "max_completion_tokens" });
    expect((await collect(other, newer)).response).toMatchObject({ model: "gpt-5.6" });
  });

  it("knows what the server says about it", async () => {
    const { model } = await emulateChat({ models: [{ id: name, capabilities: { contextWindow: 12_345 } }] });
    const result = await model.capabilities?.();
    expect(result).toMatchObject({
      ok: true,
      value: { contextWindow: 12_345, contextManagement: false, prefixBoundThinking: false },
    });
    expect(model.count).toBeUndefined();
  });
});
