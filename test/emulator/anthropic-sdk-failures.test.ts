import Anthropic, { type APIError } from "@anthropic-ai/sdk";
import { describe, expect, it } from "vitest";
import { atRequest, fault, say, when } from "../../packages/testing/src/index.ts";
import { createClient, emulate, hello } from "../support/emulator.ts";

const caught = (promise: Promise<unknown>): Promise<APIError> =>
  promise.then(
    () => expect.fail("it should have failed"),
    (error) => error,
  );

describe("the official SDK when something goes wrong", () => {
  it("throws the class that belongs to each status, with the API's type and words", async () => {
    const { client, emulator } = await emulate({
      script: [
        fault.rateLimited({ retryAfterSeconds: 7 }),
        fault.overloaded(),
        fault.serverError(),
        fault.tooLong(),
        fault.tooLarge(),
        fault.error({ status: 403, type: "permission_error", message: "Not for you" }),
      ],
    });
    const errors: APIError[] = [];
    for (let count = 0; count < 6; count += 1) errors.push(await caught(client.messages.create(hello)));
    const classes = [
      Anthropic.RateLimitError,
      Anthropic.InternalServerError,
      Anthropic.InternalServerError,
      Anthropic.BadRequestError,
      Anthropic.APIError,
      Anthropic.PermissionDeniedError,
    ];
    for (const [index, error] of errors.entries()) expect(error).toBeInstanceOf(classes[index]);
    expect(errors.map(({ status, type }) => [status, type])).toEqual([
      [429, "rate_limit_error"],
      [529, "overloaded_error"],
      [500, "api_error"],
      [400, "invalid_request_error"],
      [413, "request_too_large"],
      [403, "permission_error"],
    ]);
    expect(errors[0]?.headers?.get("retry-after")).toBe("7");
    expect(errors[3]?.apiMessage).toBe("prompt is too long: 200001 tokens > 200000 maximum");
    expect(errors.map(({ requestID }) => requestID)).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => `req_00000${number}`),
    );
    expect(errors[1]?.error).toMatchObject({ type: "error", request_id: "req_000002" });
    expect([...emulator.requests].map(({ outcome }) => outcome)).toEqual(Array(6).fill("fault"));
  });

  it("is refused where the request is wrong, before the script is asked", async () => {
    const { client, emulator } = await emulate({ script: [say("The first reply.")] });
    const keyless = createClient(emulator, {
      fetch: (url: string, { headers, ...init }: RequestInit) => {
        const kept = new Headers(headers);
        for (const name of ["x-api-key", "authorization"]) kept.delete(name);
        return fetch(url, { ...init, headers: kept });
      },
    });
    expect(await caught(keyless.messages.create(hello))).toBeInstanceOf(Anthropic.AuthenticationError);
    const unknown = await caught(client.messages.create({ ...hello, model: "gpt-2" }));
    expect(unknown).toBeInstanceOf(Anthropic.NotFoundError);
    expect(unknown.apiMessage).toBe("model: gpt-2");
    expect(await caught(client.models.retrieve("gpt-2"))).toBeInstanceOf(Anthropic.NotFoundError);
    expect(await caught(client.post("/v1/nowhere", { body: {} }))).toBeInstanceOf(Anthropic.NotFoundError);
    const empty = await caught(client.messages.create({ ...hello, messages: [] }));
    expect(empty).toBeInstanceOf(Anthropic.BadRequestError);
    expect(emulator.requests.last).toMatchObject({ outcome: "refused", status: 400 });
    expect(emulator.requests.last?.violations[0]?.message).toBe(empty.apiMessage);
    const orphan = await caught(
      client.messages.create({
        ...hello,
        messages: [
          { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_none", content: "" }] },
        ],
      }),
    );
    expect(orphan.apiMessage).toContain("toolu_none");
    const { content } = await client.messages.create(hello);
    expect(content).toMatchObject([{ text: "The first reply." }]);
  });

  it("says how far a prompt is over the window", async () => {
    const { client } = await emulate({ catalog: { capabilities: { "*": { contextWindow: 100 } } } });
    const content = "word ".repeat(500);
    const error = await caught(client.messages.create({ ...hello, messages: [{ role: "user", content }] }));
    expect(error.apiMessage).toMatch(/^prompt is too long: \d+ tokens > 100 maximum$/);
    const { input_tokens } = await client.messages.countTokens({
      model: hello.model,
      messages: [{ role: "user", content }],
    });
    expect(error.apiMessage).toContain(`: ${input_tokens} tokens`);
  });

  it("tries again as often as it may, and as the server says", async () => {
    const retryAfterMs = 1;
    const { emulator } = await emulate({
      script: [
        atRequest(1, fault.rateLimited({ retryAfterMs })),
        atRequest(2, fault.overloaded({ retryAfterMs })),
        atRequest(3, fault.serverError({ retryAfterMs })),
        atRequest([5, 6], fault.overloaded({ retryAfterMs })),
        say("At last."),
      ],
    });
    const { content } = await createClient(emulator, { maxRetries: 3 }).messages.create(hello);
    expect(content).toMatchObject([{ text: "At last." }]);
    expect([...emulator.requests].map(({ status }) => status)).toEqual([429, 529, 500, 200]);
    const failed = await caught(createClient(emulator, { maxRetries: 1 }).messages.create(hello));
    expect(failed.type).toBe("overloaded_error");
    expect(emulator.requests.total).toBe(6);
    expect(emulator.requests.last?.headers["x-stainless-retry-count"]).toBe("1");
  });

  it("fails at other endpoints where a rule says so", async () => {
    const { client } = await emulate({
      script: [
        when(({ endpoint }) => endpoint === "count_tokens", fault.rateLimited()),
        when(({ endpoint }) => endpoint === "models", fault.drop()),
      ],
    });
    const { max_tokens: _, ...request } = hello;
    expect(await caught(client.messages.countTokens(request))).toBeInstanceOf(Anthropic.RateLimitError);
    expect(await caught(client.models.list())).toBeInstanceOf(Anthropic.APIConnectionError);
    expect((await client.models.retrieve(hello.model)).type).toBe("model");
    expect((await client.messages.create(hello)).type).toBe("message");
  });

  it("fails when the connection drops before an answer", async () => {
    const { client, emulator } = await emulate({ script: [fault.drop()] });
    expect(await caught(client.messages.create(hello))).toBeInstanceOf(Anthropic.APIConnectionError);
    await emulator.idle();
    expect(emulator.requests.last).toMatchObject({ outcome: "fault", events: 0 });
  });

  it("says that a script failed or ended, once and not again", async () => {
    const { emulator, client } = await emulate({ script: [] });
    emulator.setScript([say("Only this.")]);
    await client.messages.create(hello);
    const retrying = createClient(emulator, { maxRetries: 3 });
    const ended = await caught(retrying.messages.create(hello));
    expect(ended.apiMessage).toBe("emulator: the script has no reply left for request 2");
    emulator.setScript(() => {
      throw new Error("I forgot my words");
    });
    const failed = await caught(retrying.messages.create(hello));
    expect(failed.apiMessage).toBe("emulator: the script failed at request 3: I forgot my words");
    expect(emulator.requests.total).toBe(3);
  });
});

describe("a stream that goes wrong", () => {
  const answer = say("A few words, in more than one event.");

  /** What arrived before the failure, and the failure. */
  async function read(stream: AsyncIterable<{ readonly type: string }>) {
    const types: string[] = [];
    try {
      for await (const { type } of stream) types.push(type);
      return { types, error: undefined };
    } catch (error) {
      return { types, error };
    }
  }

  it("is cut after any number of events, and never looks whole", async () => {
    const { client, emulator } = await emulate({ script: [answer] });
    await client.messages.stream(hello).finalMessage();
    const { events } = emulator.requests.last ?? { events: 0 };
    expect(events).toBeGreaterThan(6);
    for (let afterEvent = 0; afterEvent <= events; afterEvent += 1) {
      emulator.setScript([fault.cut({ afterEvent, answer })]);
      const { error } = await read(await client.messages.create({ ...hello, stream: true }));
      expect(error, `cut after ${afterEvent}`).toBeDefined();
      expect(emulator.requests.last).toMatchObject({ outcome: "fault", events: afterEvent });
    }
  });

  it("has a chunk that is no JSON", async () => {
    const { client } = await emulate({ script: [fault.malformed({ afterEvent: 4, answer })] });
    const { types, error } = await read(await client.messages.create({ ...hello, stream: true }));
    expect(types).toEqual(["message_start", "content_block_start", "content_block_delta"]);
    expect(error).toBeInstanceOf(SyntaxError);
  });

  it("carries an error in its middle", async () => {
    const { client } = await emulate({ script: [fault.streamError({ afterEvent: 2, answer })] });
    const { types, error } = await read(await client.messages.create({ ...hello, stream: true }));
    expect(types).toEqual(["message_start", "content_block_start"]);
    expect(error).toMatchObject({ type: "overloaded_error" });
  });

  it("stalls until the client gives up, and leaves nothing open", async () => {
    const { client, emulator } = await emulate({ script: [fault.stall({ afterEvent: 3, answer })] });
    const stream = client.messages.stream(hello);
    stream.on("streamEvent", ({ type }) => {
      if (type === "content_block_start") stream.abort();
    });
    expect(await caught(stream.finalMessage())).toBeInstanceOf(Anthropic.APIUserAbortError);
    await emulator.idle();
    expect(emulator.requests.last).toMatchObject({ outcome: "fault", events: 3 });
  });

  it("ends when the emulator closes in the middle of a stall", async () => {
    const { client, emulator } = await emulate({ script: [fault.stall({ answer }), fault.stall()] });
    const streamed = client.messages.stream(hello);
    const whole = caught(client.messages.create(hello));
    await new Promise<void>((resolve) => streamed.on("streamEvent", () => resolve()));
    const failed = caught(streamed.finalMessage());
    await emulator.close();
    expect(await failed).toBeInstanceOf(Anthropic.AnthropicError);
    expect(await whole).toBeInstanceOf(Anthropic.APIConnectionError);
  });

  it("is abandoned by a client that has heard enough", async () => {
    const { client, emulator } = await emulate({ script: [say("words ".repeat(100_000))] });
    const ended = new Promise<string>((resolve) => emulator.onRequest(({ outcome }) => resolve(outcome)));
    const stream = client.messages.stream({ ...hello, max_tokens: 60_000 });
    stream.on("text", () => stream.abort());
    expect(await caught(stream.finalMessage())).toBeInstanceOf(Anthropic.APIUserAbortError);
    expect(await ended).toBe("abandoned");
  });

  it("breaks answers in one piece too", async () => {
    const { client } = await emulate({
      script: [fault.cut({ answer }), fault.malformed({ answer }), fault.streamError({ answer })],
    });
    expect(await caught(client.messages.create(hello))).toBeInstanceOf(Error);
    expect(await caught(client.messages.create(hello))).toBeInstanceOf(Error);
    expect(await caught(client.messages.create(hello))).toMatchObject({ status: 529 });
  });
});
