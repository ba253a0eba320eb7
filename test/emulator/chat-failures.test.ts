import Anthropic from "@anthropic-ai/sdk";
import { OpenAI } from "openai";
import { describe, expect, it, onTestFinished } from "vitest";
import { createEmulator, type EmulatorOptions, fault, say } from "../../packages/testing/src/index.ts";

const hello = { model: "gpt-4.1", messages: [{ role: "user" as const, content: "Hello." }] };
const answer = say("A few words, in more than one chunk.");

async function emulate(options: EmulatorOptions = {}, clientOptions: object = {}) {
  const emulator = await createEmulator(options);
  onTestFinished(() => emulator.close());
  const client = new OpenAI({
    baseURL: `${emulator.url}/v1`,
    apiKey: "sk-test",
    maxRetries: 0,
    logLevel: "off",
    ...clientOptions,
  });
  return { emulator, client };
}

const caught = (promise: Promise<unknown>): Promise<InstanceType<typeof OpenAI.APIError>> =>
  promise.then(
    () => expect.fail("it should have failed"),
    (error) => error,
  );

async function read(stream: AsyncIterable<unknown>) {
  let count = 0;
  try {
    for await (const _ of stream) count += 1;
    return { count, error: undefined };
  } catch (error) {
    return { count, error };
  }
}

describe("chat completions at the emulator, when something goes wrong,", () => {
  it("throw the class that belongs to each status, with type, code and words", async () => {
    const { client, emulator } = await emulate({
      script: [
        fault.rateLimited({ retryAfterSeconds: 7 }),
        fault.overloaded(),
        fault.serverError(),
        fault.tooLong(),
        fault.tooLarge(),
        fault.error({
          status: 429,
          type: "insufficient_quota",
          code: "insufficient_quota",
          message: "No money",
        }),
      ],
    });
    const errors: InstanceType<typeof OpenAI.APIError>[] = [];
    for (let count = 0; count < 6; count += 1)
      errors.push(await caught(client.chat.completions.create(hello)));
    expect(errors.map(({ status, type, code }) => [status, type, code])).toEqual([
      [429, "requests", "rate_limit_exceeded"],
      [503, "server_error", null],
      [500, "server_error", null],
      [400, "invalid_request_error", "context_length_exceeded"],
      [413, "invalid_request_error", "request_too_large"],
      [429, "insufficient_quota", "insufficient_quota"],
    ]);
    expect(errors[0]).toBeInstanceOf(OpenAI.RateLimitError);
    expect(errors[0]?.headers?.get("retry-after")).toBe("7");
    expect(errors[3]?.param).toBe("messages");
    expect(errors.map(({ requestID }) => requestID)).toEqual(
      [1, 2, 3, 4, 5, 6].map((at) => `req_00000${at}`),
    );
    expect([...emulator.requests].map(({ outcome }) => outcome)).toEqual(Array(6).fill("fault"));
    expect(emulator.requests.get(2)).toMatchObject({ status: 503, error: { type: "server_error" } });
  });

  it("refuse what is wrong before the script is asked, in the words of the API", async () => {
    const { client, emulator } = await emulate({ script: [say("The first reply.")] });
    const orphan = { role: "tool" as const, tool_call_id: "call_none", content: "" };
    const error = await caught(
      client.chat.completions.create({ ...hello, messages: [...hello.messages, orphan] }),
    );
    expect(error).toBeInstanceOf(OpenAI.BadRequestError);
    expect([error.type, error.param, error.code]).toEqual([
      "invalid_request_error",
      "messages.[1].role",
      null,
    ]);
    expect(emulator.requests.last).toMatchObject({
      outcome: "refused",
      violations: [{ rule: "tool-message-unexpected" }],
    });
    expect(await caught(client.post("/nowhere", { body: {} }))).toMatchObject({
      status: 404,
      error: { type: "invalid_request_error", message: "Not found: /v1/nowhere" },
    });
    const { choices } = await client.chat.completions.create(hello);
    expect(choices[0]?.message.content).toBe("The first reply.");
  });

  it("say how far a prompt is over the window", async () => {
    const { client, emulator } = await emulate({
      catalog: { capabilities: { "*": { contextWindow: 100 } } },
    });
    const content = "word ".repeat(500);
    const error = await caught(
      client.chat.completions.create({ ...hello, messages: [{ role: "user", content }] }),
    );
    expect(error.code).toBe("context_length_exceeded");
    expect(error.message).toMatch(
      /^400 This model's maximum context length is 100 tokens\. However, your messages resulted in \d+ tokens\./,
    );
    expect(emulator.requests.last?.violations).toMatchObject([{ rule: "window" }]);
  });

  it("know their models, where there are some", async () => {
    const { client } = await emulate({ models: ["llama3"] });
    const error = await caught(client.chat.completions.create(hello));
    expect(error).toBeInstanceOf(OpenAI.NotFoundError);
    expect(error.code).toBe("model_not_found");
    expect((await client.chat.completions.create({ ...hello, model: "llama3" })).model).toBe("llama3");
    expect(await caught(client.models.retrieve("gpt-4.1"))).toBeInstanceOf(OpenAI.NotFoundError);
  });

  it("want a key, and the right one where there is one, at both APIs", async () => {
    const { emulator, client } = await emulate({ keys: ["sk-good"] });
    const wrong = await caught(client.chat.completions.create(hello));
    expect(wrong).toBeInstanceOf(OpenAI.AuthenticationError);
    expect(wrong.code).toBe("invalid_api_key");
    expect(wrong.message).not.toContain("sk-test");
    const url = `${emulator.url}/v1/chat/completions`;
    const attempts: Record<string, string>[] = [{}, { authorization: "sk-good" }, { "x-api-key": "sk-good" }];
    for (const headers of attempts) {
      const response = await fetch(url, { method: "POST", headers, body: JSON.stringify(hello) });
      expect(response.status).toBe(401);
      expect(await response.json()).toMatchObject({
        error: { type: "invalid_request_error", param: null, code: null },
      });
    }
    const anthropic = (apiKey: string) =>
      new Anthropic({ baseURL: emulator.url, apiKey, authToken: null, maxRetries: 0 }).models.list();
    expect(await caught(Promise.resolve(anthropic("sk-bad")))).toMatchObject({ status: 401 });
    expect((await anthropic("sk-good")).data.length).toBeGreaterThan(0);
  });

  it("answer bodies that are no JSON, and wrong methods, as chat does", async () => {
    const { emulator } = await emulate();
    const url = `${emulator.url}/v1/chat/completions`;
    const headers = { authorization: "Bearer any" };
    const bad = await fetch(url, { method: "POST", headers, body: "{" });
    expect([bad.status, await bad.json()]).toMatchObject([400, { error: { type: "invalid_request_error" } }]);
    const wrong = await fetch(url, { headers });
    expect([wrong.status, wrong.headers.get("allow")]).toEqual([405, "POST"]);
  });

  it("cut a stream after any number of chunks", async () => {
    const { client, emulator } = await emulate({ script: [answer] });
    await read(await client.chat.completions.create({ ...hello, stream: true }));
    const { events = 0 } = emulator.requests.last ?? {};
    expect(events).toBeGreaterThan(5);
    for (let afterEvent = 0; afterEvent <= events; afterEvent += 1) {
      emulator.setScript([fault.cut({ afterEvent, answer })]);
      const { error, count } = await read(await client.chat.completions.create({ ...hello, stream: true }));
      expect(error, `cut after ${afterEvent}`).toBeDefined();
      expect(count).toBe(Math.min(afterEvent, events - 1));
      expect(emulator.requests.last).toMatchObject({ outcome: "fault", events: afterEvent });
    }
  });

  it("send a chunk that is no JSON, and an error in the middle", async () => {
    const { client } = await emulate({
      script: [fault.malformed({ afterEvent: 2, answer }), fault.streamError({ afterEvent: 2, answer })],
    });
    const stream = () => client.chat.completions.create({ ...hello, stream: true });
    expect(await read(await stream())).toMatchObject({ count: 2, error: expect.any(SyntaxError) });
    expect(await read(await stream())).toMatchObject({ count: 2, error: { type: "server_error" } });
  });

  it("break answers in one piece too", async () => {
    const { client } = await emulate({
      script: [
        fault.cut({ answer }),
        fault.malformed({ answer }),
        fault.streamError({ answer }),
        fault.drop(),
      ],
    });
    for (const status of [undefined, undefined, 503, undefined]) {
      const error = await caught(client.chat.completions.create(hello));
      expect(error).toBeInstanceOf(Error);
      expect(error.status).toBe(status);
    }
  });

  it("stall until the client gives up", async () => {
    const { client, emulator } = await emulate({ script: [fault.stall({ afterEvent: 1, answer })] });
    const stream = await client.chat.completions.create({ ...hello, stream: true });
    for await (const _ of stream) stream.controller.abort();
    await emulator.idle();
    expect(emulator.requests.last).toMatchObject({ outcome: "fault", events: 1 });
  });

  it("are tried again by the SDK, as often as it may", async () => {
    const { client, emulator } = await emulate(
      {
        script: [
          fault.rateLimited({ retryAfterMs: 1 }),
          fault.overloaded({ retryAfterMs: 1 }),
          say("At last."),
        ],
      },
      { maxRetries: 2 },
    );
    const { choices } = await client.chat.completions.create(hello);
    expect(choices[0]?.message.content).toBe("At last.");
    expect([...emulator.requests].map(({ status }) => status)).toEqual([429, 503, 200]);
  });
});
