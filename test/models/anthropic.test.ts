import { describe, expect, it, onTestFinished } from "vitest";
import type { ContentBlock, ModelRequest } from "../../packages/core/src/spec/index.ts";
import { type AnthropicOptions, anthropic } from "../../packages/palimpsest/src/models/anthropic/index.ts";
import {
  answer,
  callTool,
  createEmulator,
  createVirtualClock,
  type EmulatorOptions,
  fault,
  say,
  think,
  thinkRedacted,
  when,
} from "../../packages/testing/src/index.ts";
import { createClient, readTool } from "../support/emulator.ts";
import { collect, hello } from "./collect.ts";

const apiKey = "sk-ant-not-a-real-key";

async function emulate(
  options: EmulatorOptions = {},
  modelOptions: AnthropicOptions = {},
  name = hello.model,
) {
  const emulator = await createEmulator(options);
  onTestFinished(() => emulator.close());
  const model = anthropic(name, { baseURL: emulator.url, apiKey, environment: {}, ...modelOptions });
  return { emulator, model };
}

const user = (text: string) => ({ role: "user" as const, content: [{ type: "text" as const, text }] });

describe("anthropic(model) sends", () => {
  it("the request as it is, and its betas as a header", async () => {
    const request: ModelRequest = {
      ...hello,
      system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } } as never],
      tools: [readTool],
      tool_choice: { type: "auto" },
      temperature: 0.5,
      metadata: { user_id: "u" },
      betas: ["context-management-2025-06-27"],
      context_management: { edits: [] },
    };
    const { emulator, model } = await emulate(
      { script: () => say("Yes.") },
      { defaultBetas: ["compact-2026-09-04", "context-management-2025-06-27"] },
    );
    expect((await collect(model, request)).error).toBeUndefined();
    const { betas, ...fields } = request;
    const sent = emulator.requests.last;
    expect(JSON.stringify(sent?.body)).toBe(JSON.stringify({ ...fields, stream: true }));
    expect(sent?.headers["anthropic-beta"]).toBe("compact-2026-09-04,context-management-2025-06-27");
  });

  it("no beta where there is none, and no clock of the SDK's own that could end an answer", async () => {
    const { emulator, model } = await emulate({ script: () => say("Yes.") });
    await collect(model);
    const headers = emulator.requests.last?.headers;
    expect(headers?.["anthropic-beta"]).toBeUndefined();
    expect(headers?.["x-stainless-timeout"]).toBe("2147483");
  });

  it("the beta of the long window for a model that is named with it", async () => {
    const { emulator, model } = await emulate({ script: () => say("Yes.") }, {}, "claude-sonnet-4-5[1m]");
    expect(model.name).toBe("claude-sonnet-4-5[1m]");
    await collect(model, { model: "claude-sonnet-4-5" });
    expect(emulator.requests.last?.headers["anthropic-beta"]).toBe("context-1m-2025-08-07");
    expect(await model.capabilities?.()).toMatchObject({ ok: true });
  });

  it("nothing once it is aborted, and asks once whatever a client of one's own would do", async () => {
    const emulator = await createEmulator({ script: () => fault.overloaded({ retryAfterMs: 1 }) });
    onTestFinished(() => emulator.close());
    const client = createClient(emulator, { maxRetries: 5 });
    const model = anthropic(hello.model, { client });
    expect((await collect(model, {}, AbortSignal.abort())).error?.code).toBe("aborted");
    expect(emulator.requests.total).toBe(0);
    expect((await collect(model)).error?.code).toBe("overloaded");
    expect(emulator.requests.total).toBe(1);
  });
});

describe("anthropic(model) gives", () => {
  it.each([
    "end_turn",
    "tool_use",
    "max_tokens",
    "pause_turn",
    "refusal",
    "model_context_window_exceeded",
    "stop_sequence",
    "compaction",
    "a_reason_of_tomorrow",
  ])("the stop reason %s as it is", async (stopReason) => {
    const { model } = await emulate({ script: [answer(say("So far."), { stopReason })] });
    const { response } = await collect(model);
    expect(response).toMatchObject({ stopReason, content: [{ type: "text", text: "So far." }] });
  });

  it("thinking and signatures byte for byte, so that the API takes them back", async () => {
    const name = "claude-opus-5-5";
    const thought = [think("Hm, “ünïcode” 𝔘 and\u2028 separators."), thinkRedacted(), say("One.")];
    const { emulator, model } = await emulate({ script: [thought, say("Two.")] }, {}, name);
    const request = { model: name, thinking: { type: "adaptive" }, messages: [user("Begin.")] };
    const { response } = await collect(model, request);
    expect(JSON.stringify(response?.content)).toBe(JSON.stringify(emulator.requests.last?.content));
    const content = response?.content as readonly ContentBlock[];
    const messages = [user("Begin."), { role: "assistant" as const, content }, user("Go on.")];
    expect((await collect(model, { ...request, messages })).response?.content).toMatchObject([
      { text: "Two." },
    ]);
  });

  it("blocks of server tools, citations and blocks of tomorrow untouched", async () => {
    const blocks = [
      { type: "server_tool_use", id: "srvtoolu_1", name: "web_search", input: { query: "x" } },
      { type: "web_search_tool_result", tool_use_id: "srvtoolu_1", content: [{ type: "web_search_result" }] },
      { type: "text", text: "It says so.", citations: [{ type: "web_search_result_location", url: "u" }] },
      { type: "hologram", beam: { deep: [1, null, "x"] } },
    ];
    const { model } = await emulate({ script: [blocks] });
    expect((await collect(model)).response?.content).toEqual(blocks);
  });

  it("what the cache read and wrote, by time to live", async () => {
    const clock = createVirtualClock();
    const catalog = { capabilities: { "*": { minCachedPrefix: 1 } } };
    const { emulator, model } = await emulate({ script: () => say("Yes."), clock, catalog });
    const marked = (text: string, ttl: string) =>
      ({ type: "text", text, cache_control: { type: "ephemeral", ttl } }) as never;
    const request = {
      system: [marked("The long rules. ".repeat(50), "1h")],
      messages: [{ role: "user" as const, content: [marked("The long question. ".repeat(50), "5m")] }],
    };
    const written = (await collect(model, request)).response?.usage;
    const { usage } = emulator.requests.last ?? {};
    expect(written).toEqual({
      input: usage?.input_tokens,
      output: usage?.output_tokens,
      cacheRead: 0,
      cacheCreation: usage?.cache_creation_input_tokens,
      cacheCreation5m: usage?.cache_creation.ephemeral_5m_input_tokens,
      cacheCreation1h: usage?.cache_creation.ephemeral_1h_input_tokens,
    });
    expect(written?.cacheCreation5m).toBeGreaterThan(0);
    expect(written?.cacheCreation1h).toBeGreaterThan(0);
    const again = (await collect(model, request)).response?.usage;
    expect(again).toMatchObject({ cacheRead: written?.cacheCreation, cacheCreation: 0 });
  });

  it("the edits that the API applied", async () => {
    const { emulator, model } = await emulate({ script: () => say("Done.") });
    const rounds = [1, 2, 3].flatMap((number) => [
      {
        role: "assistant" as const,
        content: [{ ...callTool("Read", { file_path: "a" }), id: `toolu_${number}` }],
      },
      {
        role: "user" as const,
        content: [{ type: "tool_result", tool_use_id: `toolu_${number}`, content: "line ".repeat(500) }],
      },
    ]);
    const { response } = await collect(model, {
      tools: [readTool],
      messages: [user("Read."), ...rounds],
      betas: ["context-management-2025-06-27"],
      context_management: {
        edits: [
          {
            type: "clear_tool_uses_20250919",
            trigger: { type: "input_tokens", value: 100 },
            keep: { type: "tool_uses", value: 1 },
          },
        ],
      },
    });
    expect(response?.contextManagement?.applied_edits).toEqual(emulator.requests.last?.appliedEdits);
    expect(response?.contextManagement?.applied_edits).toMatchObject([{ cleared_tool_uses: 2 }]);
  });

  it("a compaction on demand whole and signed, and what was paid for it", async () => {
    const name = "claude-opus-5-5";
    const { emulator, model } = await emulate({ script: [say("The summary.")] }, {}, name);
    const { response } = await collect(model, {
      model: name,
      betas: ["compact-2026-09-04"],
      compaction: { type: "summarize" },
    });
    expect(response?.stopReason).toBe("compaction");
    expect(response?.content).toEqual(emulator.requests.last?.content);
    expect(response?.content).toMatchObject([{ type: "compaction", content: "The summary." }]);
    expect(response?.usage).toMatchObject({ input: 0, output: 0 });
    expect(response?.billed?.input).toBe(emulator.requests.last?.promptTokens);
  });

  it("the id of the request with an error, for those who ask the provider about it", async () => {
    const { model } = await emulate({ script: [fault.serverError(), fault.streamError({ afterEvent: 2 })] });
    expect((await collect(model)).error?.facts).toEqual({
      status: 500,
      type: "api_error",
      requestId: "req_000001",
    });
    expect((await collect(model)).error?.facts).toEqual({
      type: "overloaded_error",
      requestId: "req_000002",
    });
  });
});

describe("anthropic(model) counts and knows", () => {
  it("the tokens of a request, edits counted, whatever else the request has", async () => {
    const { emulator, model } = await emulate();
    const request = {
      ...hello,
      system: [{ type: "text" as const, text: "Be brief." }],
      temperature: 1,
      stream: true,
    };
    const counted = await model.count?.(request);
    expect(counted).toEqual({ ok: true, value: emulator.requests.last?.promptTokens });
    const { model: name, messages, system } = request;
    expect(emulator.requests.last?.body).toEqual({ model: name, messages, system });
  });

  it("what the Models API says of the model", async () => {
    const { model } = await emulate(
      { catalog: { capabilities: { "*": { contextWindow: 123_456, maxOutput: 7_890, cacheEdits: true } } } },
      {},
      "claude-opus-5-5",
    );
    expect(await model.capabilities?.()).toEqual({
      ok: true,
      value: {
        contextWindow: 123_456,
        maxOutput: 7_890,
        contextManagement: true,
        nativeCompaction: true,
        serverCompaction: true,
        cacheEdits: true,
      },
    });
  });

  it("failures of both, by the same codes", async () => {
    const { model } = await emulate({
      script: [
        when(({ endpoint }) => endpoint === "count_tokens", fault.rateLimited({ retryAfterSeconds: 3 })),
        when(({ endpoint }) => endpoint === "model", fault.drop()),
      ],
    });
    expect(await model.count?.(hello)).toMatchObject({
      ok: false,
      error: { code: "rate-limited", retryable: true, facts: { retryAfterMs: 3_000 } },
    });
    expect(await model.capabilities?.()).toMatchObject({ ok: false, error: { code: "disconnected" } });
    expect(await model.count?.(hello, AbortSignal.abort())).toMatchObject({ error: { code: "aborted" } });
    expect(await model.capabilities?.(AbortSignal.abort())).toMatchObject({ error: { code: "aborted" } });
  });

  it("that there is no such model", async () => {
    const { model } = await emulate({}, {}, "gpt-2/../models");
    expect(await model.capabilities?.()).toMatchObject({
      ok: false,
      error: {
        code: "request-invalid",
        fix: "Check the model's name and the base URL.",
        facts: { status: 404 },
      },
    });
  });

  it("that an answer has stalled", async () => {
    const clock = createVirtualClock();
    const stall = when(({ endpoint }) => endpoint === "count_tokens", fault.stall());
    const { emulator, model } = await emulate({ script: [stall] }, { clock, idleTimeoutMs: 5_000 });
    const counting = model.count?.(hello);
    while (emulator.requests.total === 0) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(5_000);
    expect(await counting).toMatchObject({ ok: false, error: { code: "stalled", retryable: true } });
    await emulator.idle();
  });
});

describe("anthropic(model) and its key", () => {
  it("takes address and key from the environment that it is given", async () => {
    const { emulator } = await emulate({ script: () => say("Yes.") });
    const environment = { ANTHROPIC_API_KEY: ` ${apiKey}\n`, ANTHROPIC_BASE_URL: emulator.url };
    expect((await collect(anthropic(hello.model, { environment }))).response).toBeDefined();
  });

  it.each([undefined, "", "  ", "sk-ant-two\nlines", "sk-ant-ü"])(
    "says what to do where the key is %j",
    async (key) => {
      const { emulator } = await emulate();
      const environment = { ANTHROPIC_BASE_URL: emulator.url, ANTHROPIC_API_KEY: key };
      const model = anthropic(hello.model, { environment });
      const { error } = await collect(model);
      expect(error).toMatchObject({ code: "unauthenticated", retryable: false });
      expect(error?.fix).toContain("ANTHROPIC_API_KEY");
      expect(error?.message).not.toContain("sk-ant");
      expect(await model.count?.(hello)).toMatchObject({ error: { code: "unauthenticated" } });
      expect(await model.capabilities?.()).toMatchObject({ error: { code: "unauthenticated" } });
      expect(emulator.requests.total).toBe(0);
    },
  );

  it("never shows the key, even where the server does", async () => {
    const secret = "a-very-own-kind-of-key";
    const message = `The key ${secret} is wrong`;
    const { model } = await emulate(
      {
        script: [
          fault.error({ status: 401, type: "authentication_error", message }),
          fault.streamError({ error: { status: 500, type: "api_error", message } }),
        ],
      },
      { apiKey: secret },
    );
    for (let count = 0; count < 2; count += 1) {
      const { error } = await collect(model);
      expect(error?.message).toContain("The key [masked] is wrong");
      expect(JSON.stringify([error?.facts, error?.fix, String(error?.stack), error?.cause])).not.toContain(
        secret,
      );
    }
  });

  it.each([
    ["", {}],
    ["[1m]", {}],
    ["m", { baseURL: "not a url" }],
    ["m", { baseURL: "file:///etc" }],
    ["m", { idleTimeoutMs: 0 }],
    ["m", { idleTimeoutMs: Number.NaN }],
  ])("throws for what cannot be meant: %j with %j", (name, options) => {
    expect(() => anthropic(name, { environment: {}, ...options })).toThrow(
      expect.objectContaining({ code: "invalid-input", fix: expect.any(String) }),
    );
  });
});
