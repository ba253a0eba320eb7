import Anthropic from "@anthropic-ai/sdk";
import { OpenAI } from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { measureChat } from "../../packages/testing/src/emulator/chat/measure-chat.ts";
import {
  answer,
  callTool,
  createEmulator,
  createVirtualClock,
  type Emulator,
  type EmulatorOptions,
  say,
  think,
  thinkRedacted,
} from "../../packages/testing/src/index.ts";

const model = "gpt-4.1";
/** What every message counts besides its blocks. */
const messageOverhead = 5;

async function emulate(options: EmulatorOptions = {}) {
  const emulator = await createEmulator(options);
  onTestFinished(() => emulator.close());
  return { emulator, client: clientOf(emulator) };
}

function clientOf(emulator: Emulator): OpenAI {
  return new OpenAI({ baseURL: `${emulator.url}/v1`, apiKey: "sk-test", maxRetries: 0, logLevel: "off" });
}

const hello = { model, messages: [{ role: "user" as const, content: "Hello." }] };
const tools = [
  {
    type: "function" as const,
    function: {
      name: "Read",
      parameters: { type: "object", properties: { path: { type: "string" } }, required: ["path"] },
    },
  },
];

describe("chat completions at the emulator", () => {
  it("answer in one piece", async () => {
    const { client, emulator } = await emulate({
      script: [[think("Hm."), say("Good day."), thinkRedacted()]],
    });
    const completion = await client.chat.completions.create(hello);
    const { promptTokens = 0, usage } = emulator.requests.last ?? {};
    const output = usage?.output_tokens ?? 0;
    expect(completion).toEqual({
      id: "chatcmpl-000001",
      object: "chat.completion",
      created: 1_767_225_600,
      model: "gpt-4.1-2025-04-14",
      service_tier: "default",
      system_fingerprint: "fp_emulator",
      choices: [
        {
          index: 0,
          message: {
            role: "assistant",
            content: "Good day.",
            refusal: null,
            annotations: [],
            reasoning_content: "Hm.",
          },
          logprobs: null,
          finish_reason: "stop",
        },
      ],
      usage: {
        prompt_tokens: promptTokens,
        completion_tokens: output,
        total_tokens: promptTokens + output,
        prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
        completion_tokens_details: {
          reasoning_tokens: usage?.output_tokens_details.thinking_tokens,
          audio_tokens: 0,
          accepted_prediction_tokens: 0,
          rejected_prediction_tokens: 0,
        },
      },
    });
    expect(completion._request_id).toBe("req_000001");
  });

  it("stream what they would answer in one piece", async () => {
    const script = [
      [
        say("Grüße 🗿, and more words. ".repeat(5)),
        callTool("Read", { path: "a/ü.ts" }),
        callTool("Read", {}),
      ],
    ];
    const { client, emulator } = await emulate({ script });
    const stream = client.chat.completions.stream({
      ...hello,
      tools,
      stream_options: { include_usage: true },
    });
    const streamed = await stream.finalChatCompletion();
    emulator.reset();
    const whole = await client.chat.completions.create({ ...hello, tools });
    expect(streamed.usage).toEqual(whole.usage);
    const [choice] = streamed.choices;
    expect(choice?.finish_reason).toBe("tool_calls");
    expect(choice?.message.content).toBe(whole.choices[0]?.message.content);
    expect(choice?.message.tool_calls).toMatchObject(whole.choices[0]?.message.tool_calls ?? []);
  });

  it("give the usage in a chunk of its own, and only where it is asked for", async () => {
    const { client } = await emulate({ script: () => say("Hi.") });
    const chunks = async (more: object) => {
      const found: OpenAI.ChatCompletionChunk[] = [];
      const stream = await client.chat.completions.create({ ...hello, ...more, stream: true });
      for await (const chunk of stream) found.push(chunk);
      return found;
    };
    const bare = await chunks({});
    expect(bare.some((chunk) => "usage" in chunk)).toBe(false);
    const counted = await chunks({ stream_options: { include_usage: true } });
    expect(counted).toHaveLength(bare.length + 1);
    expect(counted.slice(0, -1).every(({ usage }) => usage === null)).toBe(true);
    expect(counted.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: expect.any(Number) } });
    expect(bare.map(({ choices }) => choices[0]?.finish_reason)).toEqual([null, null, "stop"]);
  });

  it("end a stream with its mark", async () => {
    const { emulator } = await emulate({ script: [say("Hi.")] });
    const response = await fetch(`${emulator.url}/v1/chat/completions`, {
      method: "POST",
      headers: { authorization: "Bearer any" },
      body: JSON.stringify({ ...hello, stream: true }),
    });
    expect(await response.text()).toMatch(/\n\ndata: \[DONE\]\n\n$/);
  });

  it.each([
    [say("one END two"), { stop: "END" }, "stop"],
    [say("word ".repeat(200)), { max_tokens: 20 }, "length"],
    [answer([say("No.")], { stopReason: "refusal" }), {}, "content_filter"],
    [callTool("Read", { path: "a" }), { tools }, "tool_calls"],
  ])("say why they stopped: %j", async (reply, more, reason) => {
    const { client } = await emulate({ script: [reply] });
    const { choices } = await client.chat.completions.create({ ...hello, ...more });
    expect(choices[0]?.finish_reason).toBe(reason);
  });

  it("cache what is the same at the front, in steps, whatever comes behind", async () => {
    const clock = createVirtualClock();
    const { client, emulator } = await emulate({ clock, script: () => say("Noted.") });
    const system = { role: "system" as const, content: "All work and no play. ".repeat(300) };
    const ask = async (...messages: OpenAI.ChatCompletionMessageParam[]) => {
      const { usage } = await client.chat.completions.create({ model, messages: [system, ...messages] });
      return usage?.prompt_tokens_details?.cached_tokens ?? 0;
    };
    const user = (content: string) => ({ role: "user" as const, content });
    expect(await ask(user("One."))).toBe(0);
    const read = await ask(user("One."), { role: "assistant", content: "Noted." }, user("Two."));
    expect(read).toBeGreaterThan(1_024);
    expect(read % 128).toBe(0);
    expect(emulator.requests.last?.hitPath).toBe("messages.0.content.0");
    const image = { type: "image_url" as const, image_url: { url: "https://a.example/b.png" } };
    expect(await ask({ role: "user", content: [image] })).toBeGreaterThan(1_024);
    expect(emulator.requests.last?.hitPath).toBe("system.0");
    const { usage } = await client.chat.completions.create(hello);
    expect(usage?.prompt_tokens_details?.cached_tokens).toBe(0);
    await clock.advance(300_000);
    expect(await ask(user("One."))).toBe(0);
  });

  it("count a replayed answer as they counted it", async () => {
    const { client, emulator } = await emulate({
      script: [[say("I look."), say("Now."), callTool("Read", { path: "a" }, "call_a")], say("Done.")],
    });
    const { choices, usage } = await client.chat.completions.create({ ...hello, tools });
    const message = choices[0]?.message as OpenAI.ChatCompletionMessageParam;
    const next = [
      ...hello.messages,
      message,
      { role: "tool" as const, tool_call_id: "call_a", content: "x" },
    ];
    await client.chat.completions.create({ model, messages: next, tools });
    const { whole } = emulator.requests.last ?? {};
    const blocks = measureChat(whole ?? {}).blocks.filter(({ path }) => path.startsWith("messages.1."));
    const replayed = blocks.reduce((sum, { tokens }) => sum + tokens, 0);
    expect(replayed - messageOverhead).toBe(usage?.completion_tokens);
    expect(whole?.messages).toEqual([
      { role: "user", content: [{ type: "text", text: "Hello." }] },
      {
        role: "assistant",
        content: [
          { type: "text", text: "I look.\nNow." },
          { type: "tool_use", id: "call_a", name: "Read", input: { path: "a" } },
        ],
      },
      { role: "user", content: [{ type: "tool_result", tool_use_id: "call_a", content: "x" }] },
    ]);
  });

  it("list models as the client that asks expects it", async () => {
    const { client, emulator } = await emulate({ models: ["gpt-4.1", "llama3"] });
    const { data } = await client.models.list();
    expect(data).toMatchObject([
      { id: "gpt-4.1", object: "model", owned_by: "emulator" },
      { id: "llama3", object: "model", max_model_len: 200_000 },
    ]);
    expect(await client.models.retrieve("llama3")).toMatchObject({ id: "llama3", object: "model" });
    const anthropic = new Anthropic({ baseURL: emulator.url, apiKey: "any", authToken: null, maxRetries: 0 });
    expect((await anthropic.models.list()).data).toMatchObject([
      { id: "gpt-4.1", type: "model" },
      { id: "llama3", type: "model" },
    ]);
  });
});

describe("one scripted agent at both APIs", () => {
  const script: EmulatorOptions["script"] = ({ whole }) => {
    const messages = whole?.messages as readonly { readonly content: readonly { readonly type: string }[] }[];
    const isAnswered = messages.at(-1)?.content.some(({ type }) => type === "tool_result");
    return isAnswered ? say("The file is empty.") : [say("I look."), callTool("Read", { path: "a.ts" })];
  };

  it("does the same", async () => {
    const { emulator, client } = await emulate({ script });
    const anthropic = new Anthropic({ baseURL: emulator.url, apiKey: "any", authToken: null, maxRetries: 0 });
    const messages: Anthropic.MessageParam[] = [{ role: "user", content: [{ type: "text", text: "Look." }] }];
    const ask = () =>
      anthropic.messages.create({
        model: "claude-opus-4-5",
        max_tokens: 100,
        tools: [{ name: "Read", input_schema: { type: "object" } }],
        messages,
      });
    const first = await ask();
    const [, use] = first.content;
    messages.push({ role: "assistant", content: first.content });
    const id = use?.type === "tool_use" ? use.id : "";
    messages.push({ role: "user", content: [{ type: "tool_result", tool_use_id: id, content: "" }] });
    const last = await ask();

    const chat: OpenAI.ChatCompletionMessageParam[] = [{ role: "user", content: "Look." }];
    const talk = async () =>
      (await client.chat.completions.create({ model, messages: chat, tools })).choices[0]?.message;
    const said = (await talk()) as OpenAI.ChatCompletionMessage;
    const [call] = said.tool_calls ?? [];
    chat.push(said, { role: "tool", tool_call_id: call?.id ?? "", content: "" });
    const end = await talk();

    expect(last.content).toMatchObject([{ text: "The file is empty." }]);
    expect(end?.content).toBe("The file is empty.");
    expect(call).toMatchObject({ function: { name: "Read", arguments: '{"path":"a.ts"}' } });
    expect([...emulator.requests].map(({ endpoint, ordinal }) => [endpoint, ordinal])).toEqual([
      ["messages", 1],
      ["messages", 2],
      ["chat_completions", 1],
      ["chat_completions", 2],
    ]);
  });

  it("is the built-in one, too", async () => {
    const { client } = await emulate();
    const { choices } = await client.chat.completions.create({
      model,
      tools,
      messages: [{ role: "user", content: "read package.json" }],
    });
    expect(choices[0]?.message.tool_calls).toMatchObject([
      { function: { name: "Read", arguments: '{"path":"package.json"}' } },
    ]);
  });
});
