import type Anthropic from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { callTool, createVirtualClock, say, think } from "../../packages/testing/src/index.ts";
import { createClient, emulate, hello, model, readTool } from "../support/emulator.ts";

const thinking = { type: "enabled" as const, budget_tokens: 1_024 };

describe("the official SDK at the emulator", () => {
  it("creates a message", async () => {
    const { client, emulator } = await emulate({ script: [say("Good day.")] });
    const message = await client.messages.create(hello);
    expect(message).toMatchObject({
      id: "msg_000001",
      type: "message",
      role: "assistant",
      model: "claude-opus-4-5-20251101",
      content: [{ type: "text", text: "Good day." }],
      stop_reason: "end_turn",
      stop_sequence: null,
      diagnostics: null,
    });
    expect(message.usage).toMatchObject({
      cache_creation_input_tokens: 0,
      cache_read_input_tokens: 0,
      service_tier: "standard",
    });
    expect(message.usage.input_tokens).toBe(emulator.requests.last?.promptTokens);
    expect(message.usage.output_tokens).toBeGreaterThan(0);
    expect(message._request_id).toBe("req_000001");
  });

  it("assembles from a stream the message it gets without one", async () => {
    const words = "Many wörds, and an emoji 🗿 or two 👩‍👩‍👧. ".repeat(20);
    const script = [
      think("Let me see."),
      say(words),
      callTool("Read", { file_path: "a/ü.ts" }),
      say("And on."),
    ];
    const { client, emulator } = await emulate({ script: [script, script] });
    const request = { ...hello, max_tokens: 4_000, tools: [readTool], thinking };
    const whole = await client.messages.create(request);
    emulator.reset();
    const stream = client.messages.stream(request);
    const events: string[] = [];
    const inputs: string[] = [];
    stream.on("streamEvent", ({ type }) => events.push(type));
    stream.on("inputJson", (partial) => inputs.push(partial));
    const assembled = await stream.finalMessage();
    const { _request_id, ...expected } = whole;
    expect(JSON.parse(JSON.stringify(assembled))).toEqual({ ...expected, parsed_output: null });
    expect(events.slice(0, 3)).toEqual(["message_start", "content_block_start", "content_block_delta"]);
    expect(events.slice(-3)).toEqual(["content_block_stop", "message_delta", "message_stop"]);
    expect(inputs.join("")).toBe('{"file_path":"a/ü.ts"}');
    expect(inputs.length).toBeGreaterThan(1);
  });

  it("holds a talk of several turns with tools and thinking", async () => {
    const { client, emulator } = await emulate({
      script: [
        [think("A file."), callTool("Read", { file_path: "package.json" })],
        [think("I know it now."), say("It is called palimpsest.")],
      ],
    });
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: "What is it called?" }];
    const request = { ...hello, max_tokens: 4_000, tools: [readTool], thinking };
    const first = await client.messages.create({ ...request, messages });
    expect(first.stop_reason).toBe("tool_use");
    const call = first.content.find((block) => block.type === "tool_use");
    messages.push({ role: "assistant", content: first.content });
    messages.push({
      role: "user",
      content: [{ type: "tool_result", tool_use_id: call?.id ?? "", content: '{"name":"palimpsest"}' }],
    });
    const second = await client.messages.stream({ ...request, messages }).finalMessage();
    expect(second.stop_reason).toBe("end_turn");
    expect(second.content.at(-1)).toMatchObject({ type: "text", text: "It is called palimpsest." });
    expect([...emulator.requests].map(({ violations }) => violations)).toEqual([[], []]);
  });

  it("reads from the cache what it wrote, until its time is over", async () => {
    const clock = createVirtualClock();
    const { client, emulator } = await emulate({ clock });
    const system = [
      { type: "text" as const, text: "Rules. ".repeat(4_000), cache_control: { type: "ephemeral" as const } },
    ];
    const ask = async () => (await client.messages.create({ ...hello, system })).usage;
    const written = await ask();
    expect(written.cache_creation_input_tokens).toBeGreaterThan(4_096);
    expect(written.cache_creation?.ephemeral_5m_input_tokens).toBe(written.cache_creation_input_tokens);
    const read = await ask();
    expect(read.cache_read_input_tokens).toBe(written.cache_creation_input_tokens);
    expect(emulator.requests.last).toMatchObject({ hitBlock: 0, hitPath: "system.0" });
    await clock.advance(300_000);
    expect((await ask()).cache_read_input_tokens).toBe(0);
    expect(emulator.requests.last?.hitBlock).toBe(-1);
  });

  it("counts tokens as a message does, plain and beta", async () => {
    const { client } = await emulate();
    const { max_tokens: _, ...request } = hello;
    const { input_tokens } = await client.messages.countTokens({ ...request, tools: [readTool] });
    const { usage } = await client.messages.create({ ...hello, tools: [readTool] });
    expect(input_tokens).toBe(usage.input_tokens);
    const beta = await client.beta.messages.countTokens({ ...request, tools: [readTool] });
    expect(beta).toEqual({ input_tokens, context_management: null });
  });

  it("lists models page by page in both directions, and finds one by its alias", async () => {
    const { client } = await emulate();
    const all: string[] = [];
    for await (const { id } of client.models.list({ limit: 2 })) all.push(id);
    expect(all.length).toBeGreaterThan(4);
    expect(new Set(all).size).toBe(all.length);
    const whole = await client.models.list();
    expect(whole.data.map(({ id }) => id)).toEqual(all);
    expect({ more: whole.has_more, first: whole.first_id, last: whole.last_id }).toEqual({
      more: false,
      first: all[0],
      last: all.at(-1),
    });
    const before = await client.models.list({ before_id: all[4] ?? "", limit: 3 });
    expect(before.data.map(({ id }) => id)).toEqual(all.slice(1, 4));
    expect(before.has_more).toBe(true);
    expect(await client.models.retrieve(model)).toMatchObject({
      type: "model",
      id: "claude-opus-4-5-20251101",
      display_name: "Claude Opus 4.5",
      max_input_tokens: 200_000,
      max_tokens: 64_000,
      line: "opus",
      capabilities: { context_management: { supported: true }, thinking: { supported: true } },
    });
    expect((await client.beta.models.retrieve("claude-opus-5-5")).capabilities?.compaction?.supported).toBe(
      true,
    );
  });

  it("ends an answer where max_tokens, the window or a stop sequence does", async () => {
    const long = say("word ".repeat(2_000));
    const { client } = await emulate({
      script: [long, long, say("one two STOP three"), callTool("Read", { a: "x", b: "y".repeat(3_000) })],
      catalog: { capabilities: { "*": { contextWindow: 600 } } },
    });
    const short = await client.messages.create({ ...hello, max_tokens: 50 });
    expect(short).toMatchObject({ stop_reason: "max_tokens", usage: { output_tokens: 50 } });
    const full = await client.messages.create(hello);
    expect(full.stop_reason).toBe("model_context_window_exceeded");
    expect(full.usage.output_tokens + full.usage.input_tokens).toBe(600);
    const stopped = await client.messages.create({ ...hello, stop_sequences: ["STOP"] });
    expect(stopped).toMatchObject({
      stop_reason: "stop_sequence",
      stop_sequence: "STOP",
      content: [{ text: "one two " }],
    });
    const cut = await client.messages.stream({ ...hello, max_tokens: 60 }).finalMessage();
    expect(cut.stop_reason).toBe("max_tokens");
    expect(cut.content).toMatchObject([{ type: "tool_use", name: "Read", input: { a: "x" } }]);
  });

  it("is answered by the built-in agent without a script", async () => {
    const { client } = await emulate();
    const request = { ...hello, max_tokens: 4_000, tools: [readTool], thinking };
    const question: Anthropic.MessageParam = { role: "user", content: "Please read package.json." };
    const first = await client.messages.create({ ...request, messages: [question] });
    expect(first.content.map(({ type }) => type)).toEqual(["thinking", "text", "tool_use"]);
    expect(first.content[2]).toMatchObject({ name: "Read", input: { file_path: "package.json" } });
    const call = first.content[2] as Anthropic.ToolUseBlock;
    const second = await client.messages.create({
      ...request,
      messages: [
        question,
        { role: "assistant", content: first.content },
        { role: "user", content: [{ type: "tool_result", tool_use_id: call.id, content: "one\ntwo" }] },
      ],
    });
    expect(second.stop_reason).toBe("end_turn");
    expect(second.content[1]).toMatchObject({ text: "The tool gave 2 lines: one\ntwo\nThat is all." });
    const greeted = await createClient({ url: client.baseURL } as never).messages.create(hello);
    expect(greeted.content[0]).toMatchObject({ text: expect.stringContaining("Hello! I am the emulator's") });
  });
});
