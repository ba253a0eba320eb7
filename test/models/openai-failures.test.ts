import { OpenAI } from "openai";
import { describe, expect, it } from "vitest";
import { openai } from "../../packages/palimpsest/src/models/openai/index.ts";
import { callTool, fault, say, when } from "../../packages/testing/src/index.ts";
import { collect, emulateChat, hello, modelAt, requestOf, serve } from "./openai-support.ts";

const answer = [say("A few words, in more than one chunk."), callTool("Read", { path: "a.ts" }, "call_a")];

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe("a model behind chat completions, when something goes wrong,", () => {
  it("fails with the code that belongs to each answer", async () => {
    const { model } = await emulateChat({
      script: [
        fault.rateLimited({ retryAfterSeconds: 7 }),
        fault.overloaded(),
        fault.serverError(),
        fault.tooLong(),
        fault.error({ status: 403, type: "permission_error", message: "Not for you" }),
        fault.error({ status: 400, type: "invalid_request_error", message: "Wrong" }),
        fault.drop(),
      ],
    });
    const codes: unknown[] = [];
    for (let count = 0; count < 7; count += 1) codes.push((await collect(model)).code);
    expect(codes).toEqual([
      "rate-limited",
      "overloaded",
      "server-error",
      "prompt-too-long",
      "unauthenticated",
      "request-invalid",
      "disconnected",
    ]);
  });

  it("sends every request once", async () => {
    const { model, emulator } = await emulateChat({ script: [fault.overloaded({ retryAfterMs: 1 })] });
    await collect(model);
    expect(emulator.requests.total).toBe(1);
  });

  it("fails with a prompt that is too long, and with a wrong one", async () => {
    const { model } = await emulateChat({ catalog: { capabilities: { "*": { contextWindow: 100 } } } });
    expect(await collect(model, requestOf({ type: "text", text: "word ".repeat(500) }))).toMatchObject({
      code: "prompt-too-long",
    });
    expect((await collect(model, { ...hello, messages: [] })).code).toBe("request-invalid");
  });

  it("is disconnected wherever the stream is cut, until the reason why it stopped is there", async () => {
    const { model, emulator } = await emulateChat({ script: [answer] });
    const whole = (await collect(model)).response;
    const { events = 0 } = emulator.requests.last ?? {};
    expect(events).toBeGreaterThan(8);
    // Behind the reason come the usage and the mark of the end.
    for (let afterEvent = 0; afterEvent <= events; afterEvent += 1) {
      emulator.setScript([fault.cut({ afterEvent, answer })]);
      const { code, response } = await collect(model);
      if (afterEvent < events - 2) expect(code, `cut after ${afterEvent}`).toBe("disconnected");
      else expect(response?.content, `cut after ${afterEvent}`).toEqual(whole?.content);
    }
  });

  it.each([
    [0, []],
    [1, ["response-start"]],
    [3, ["response-start", "block-start", "block-delta", "block-delta"]],
  ])(
    "stalls where nothing comes behind chunk %i, and lets go of the connection",
    async (afterEvent, types) => {
      const { model, emulator, clock } = await emulateChat(
        { script: [fault.stall({ afterEvent, answer })] },
        { idleTimeoutMs: 5_000 },
      );
      let count = 0;
      const collected = collect(model, hello, undefined, () => {
        count += 1;
      });
      while (emulator.requests.last?.status === undefined || count < types.length) await nextTurn();
      await clock.advance(10_000);
      const { code, events } = await collected;
      expect(code).toBe("stalled");
      expect(events.map(({ type }) => type)).toEqual(types);
      await emulator.idle();
      expect(emulator.requests.last).toMatchObject({ outcome: "fault", events: afterEvent });
    },
  );

  it("takes no chunk that is no JSON", async () => {
    const { model } = await emulateChat({ script: [fault.malformed({ afterEvent: 2, answer })] });
    expect((await collect(model)).code).toBe("malformed-response");
  });

  it("fails with an error in the middle of the stream", async () => {
    const { model } = await emulateChat({
      script: [
        fault.streamError({ afterEvent: 2, answer }),
        fault.streamError({
          afterEvent: 2,
          answer,
          error: {
            status: 400,
            type: "invalid_request_error",
            code: "context_length_exceeded",
            message: "This model's maximum context length is 10 tokens.",
          },
        }),
      ],
    });
    expect(["server-error", "overloaded"]).toContain((await collect(model)).code);
    expect((await collect(model)).code).toBe("prompt-too-long");
  });

  it("ends with the caller's abort, before or in the middle of the answer, and closes the connection", async () => {
    const { model, emulator } = await emulateChat({ script: () => say("words ".repeat(10_000)) });
    expect(await collect(model, hello, AbortSignal.abort())).toMatchObject({ code: "aborted", events: [] });
    expect(emulator.requests.total).toBe(0);
    const enough = new AbortController();
    const ended = new Promise<string>((resolve) => emulator.onRequest(({ outcome }) => resolve(outcome)));
    const { code, events } = await collect(
      model,
      { ...hello, max_tokens: 30_000 },
      enough.signal,
      ({ type }) => {
        if (type === "block-delta") enough.abort();
      },
    );
    expect(code).toBe("aborted");
    expect(events.filter(({ type }) => type === "block-delta").length).toBe(1);
    expect(await ended).toBe("abandoned");
  });

  it("ends with the abort also while it waits for the first chunk", async () => {
    const { model, emulator } = await emulateChat({ script: [fault.stall({ afterEvent: 1, answer })] });
    const enough = new AbortController();
    const { code } = await collect(model, hello, enough.signal, () => setImmediate(() => enough.abort()));
    expect(code).toBe("aborted");
    await emulator.idle();
  });

  it("closes the connection when nobody listens any more", async () => {
    const { model, emulator } = await emulateChat({ script: [say("words ".repeat(10_000))] });
    const ended = new Promise<string>((resolve) => emulator.onRequest(({ outcome }) => resolve(outcome)));
    const request = { ...hello, max_tokens: 30_000 };
    for await (const result of model.stream(request, new AbortController().signal)) {
      if (result.ok && result.value.type === "block-delta") break;
    }
    expect(await ended).toBe("abandoned");
  });

  it("needs a key that the server knows, and never shows it", async () => {
    const { model } = await emulateChat({ keys: ["sk-good"] }, { apiKey: "sk-wrong-and-secret" });
    const { code, message } = await collect(model);
    expect(code).toBe("unauthenticated");
    expect(message).not.toContain("sk-wrong");
    const { model: known } = await emulateChat(
      { keys: ["sk-good"] },
      { environment: { OPENAI_API_KEY: "sk-good" }, apiKey: undefined as never },
    );
    expect((await collect(known)).response).toBeDefined();
  });

  it("masks a key that a server repeats", async () => {
    const url = await serve((request, response) => {
      response.writeHead(400, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: `Who is ${request.headers.authorization}?` } }));
    });
    const model = modelAt(url, { apiKey: "sk-very-secret" });
    for await (const result of model.stream(hello, new AbortController().signal)) {
      expect(result).toMatchObject({ ok: false, error: { code: "request-invalid" } });
      if (!result.ok) expect(`${result.error.stack} ${result.error.cause}`).not.toContain("sk-very-secret");
    }
  });

  it("asks nobody without a key, except on this machine", async () => {
    const far = openai("gpt-4.1", { environment: {} });
    expect((await collect(far)).code).toBe("unauthenticated");
    expect(await far.capabilities?.()).toMatchObject({ ok: false, error: { code: "unauthenticated" } });
    const seen: unknown[] = [];
    const near = await serve((request, response) => {
      seen.push(request.headers.authorization);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(
        'data: {"choices":[{"delta":{"content":"Hi."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
      );
    });
    expect((await collect(modelAt(near))).response).toMatchObject({ content: [{ text: "Hi." }] });
    expect(seen).toEqual([undefined]);
  });

  it("fails where its capabilities cannot be read, not where there is no list", async () => {
    const { model } = await emulateChat({
      script: [when(({ endpoint }) => endpoint === "models", fault.serverError())],
    });
    expect(await model.capabilities?.()).toMatchObject({ ok: false, error: { code: "server-error" } });
    const bare = await serve((_, response) => response.writeHead(404).end());
    expect(await modelAt(bare).capabilities?.()).toMatchObject({
      ok: true,
      value: { contextManagement: false },
    });
    const odd = await serve((_, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end('{"object":"list","data":null}');
    });
    expect(await modelAt(odd).capabilities?.()).toMatchObject({ ok: true });
  });

  it("works with a client that is handed in", async () => {
    const { emulator } = await emulateChat({ script: [say("Hi."), fault.overloaded({ retryAfterMs: 1 })] });
    const client = new OpenAI({
      baseURL: `${emulator.url}/v1`,
      apiKey: "sk-own",
      maxRetries: 5,
      logLevel: "off",
    });
    const model = openai("gpt-4.1", { client, environment: {}, headers: { "x-title": "test" } });
    expect((await collect(model)).response).toMatchObject({ content: [{ text: "Hi." }] });
    expect(emulator.requests.last?.headers["x-title"]).toBe("test");
    expect((await collect(model)).code).toBe("overloaded");
    expect(emulator.requests.total).toBe(2);
  });
});
