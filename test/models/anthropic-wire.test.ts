import { describe, expect, it } from "vitest";
import { anthropic } from "../../packages/palimpsest/src/models/anthropic/index.ts";
import { createVirtualClock } from "../../packages/testing/src/index.ts";
import { collect, hello } from "./collect.ts";
import {
  messageEnd,
  messageStart,
  type SentEvent,
  serve,
  streamHeaders,
  textBlock,
  toWire,
  usage,
} from "./wire-server.ts";

type Events = readonly SentEvent[];

const at = (baseURL: string, options: object = {}) =>
  anthropic("claude-opus-4-5", { baseURL, apiKey: "sk-ant-not-a-real-key", ...options });

/** What the model makes of exactly these bytes, in one piece. */
async function given(text: string) {
  const url = await serve(({ response }) => {
    response.writeHead(200, streamHeaders);
    response.end(text);
  });
  return collect(at(url));
}
const givenEvents = (...events: Events) => given(toWire(events));
const whole: Events = [messageStart, ...textBlock(0, "Hello."), ...messageEnd()];

describe("anthropic(model) and what a server may send", () => {
  it("maps usage with the split of cache writes, counts being of the whole response", async () => {
    const { response } = await givenEvents(
      messageStart,
      ...textBlock(0, "Hello."),
      { type: "message_delta", delta: {}, usage: { output_tokens: 4, input_tokens: null } },
      ...messageEnd(),
    );
    expect(response).toEqual({
      id: "msg_1",
      model: "claude-x",
      content: [{ type: "text", text: "Hello." }],
      stopReason: "end_turn",
      usage: {
        input: 10,
        output: 9,
        cacheRead: 5,
        cacheCreation: 7,
        cacheCreation5m: 3,
        cacheCreation1h: 4,
      },
    });
  });

  it("says what is paid where a compaction came before the answer", async () => {
    const iterations = [
      { type: "compaction", ...usage, output_tokens: 100 },
      { type: "message", ...usage, output_tokens: 9 },
    ];
    const { response } = await givenEvents(
      messageStart,
      ...messageEnd({ stop_reason: "end_turn" }, { usage: { output_tokens: 9, iterations } }),
    );
    expect(response?.usage.output).toBe(9);
    expect(response?.billed).toEqual({
      input: 20,
      output: 109,
      cacheRead: 10,
      cacheCreation: 14,
      cacheCreation5m: 6,
      cacheCreation1h: 8,
    });
  });

  it.each([
    [
      {
        stop_reason: "refusal",
        stop_details: { type: "refusal", category: "cyber", explanation: "It could harm." },
      },
      "It could harm.",
    ],
    [
      { stop_reason: "refusal", stop_details: { type: "refusal", category: "bio", explanation: null } },
      "bio",
    ],
    [{ stop_reason: "refusal", stop_details: null }, undefined],
    [{ stop_reason: "stop_sequence", stop_sequence: "END" }, "END"],
  ])("gives the words for why it stopped: %j", async (delta, stopDetails) => {
    const { response } = await givenEvents(messageStart, ...messageEnd(delta));
    expect([response?.stopReason, response?.stopDetails]).toEqual([delta.stop_reason, stopDetails]);
  });

  it("names the model that took over", async () => {
    const block = { type: "fallback", from: { model: "claude-x" }, to: { model: "claude-y" } };
    const { response } = await givenEvents(
      messageStart,
      { type: "content_block_start", index: 0, content_block: block },
      { type: "content_block_stop", index: 0 },
      ...messageEnd(),
    );
    expect([response?.model, response?.content]).toEqual(["claude-y", [block]]);
  });

  it("passes over events that it has no name for, comments, and names that are missing", async () => {
    const text = [
      ": a comment\n\n",
      toWire([messageStart, { type: "from_the_future" }]),
      ...textBlock(0, "Hello.").map((event) => `data: ${JSON.stringify(event)}\r\n\r\n`),
      "event: ping\n\n",
      toWire(messageEnd()),
    ].join("");
    expect((await given(text)).response?.content).toEqual([{ type: "text", text: "Hello." }]);
  });

  it.each<readonly [string, Events]>([
    ["no start", whole.slice(1)],
    ["two starts", [messageStart, ...whole]],
    ["a start without an id", [{ ...messageStart, message: {} }, ...whole.slice(1)]],
    [
      "a start with blocks in it",
      [{ ...messageStart, message: { ...messageStart.message, content: [{}] } }, ...whole.slice(1)],
    ],
    ["a block that begins twice", whole.toSpliced(1, 0, whole[1] as SentEvent)],
    ["a block that never begins", whole.toSpliced(1, 1)],
    ["a block that never ends", whole.toSpliced(3, 1)],
    ["blocks out of order", [messageStart, ...textBlock(1, "b"), ...textBlock(0, "a"), ...messageEnd()]],
    ["a piece behind the end", whole.toSpliced(4, 0, whole[2] as SentEvent)],
    ["a block without a number", whole.toSpliced(1, 1, { ...(whole[1] as SentEvent), index: "0" })],
    ["a block that is null", whole.toSpliced(1, 1, { ...(whole[1] as SentEvent), content_block: null })],
    ["a piece that is null", whole.toSpliced(2, 1, { ...(whole[2] as SentEvent), delta: null })],
    [
      "a piece of another block",
      whole.toSpliced(2, 1, {
        ...(whole[2] as SentEvent),
        delta: { type: "input_json_delta", partial_json: "{}" },
      }),
    ],
  ])("refuses a response with %s, as something to try again", async (_, events) => {
    const { error, response } = await givenEvents(...events);
    expect(response).toBeUndefined();
    expect(error).toMatchObject({ code: "malformed-response", retryable: true });
  });

  it("takes a body that ends too early for a broken connection, also where it ends in good order", async () => {
    for (let count = 0; count < whole.length; count += 1) {
      const { error } = await givenEvents(...whole.slice(0, count));
      expect(error, `${count} events`).toMatchObject({ code: "disconnected", retryable: true });
    }
    const cutInside = toWire(whole).slice(0, -1);
    expect((await given(cutInside)).error).toMatchObject({ code: "disconnected" });
  });

  it("gives the same whatever the chunks are", async () => {
    const bytes = Buffer.from(toWire([messageStart, ...textBlock(0, "Grüße, 世界 👋🏽"), ...messageEnd()]));
    for (const size of [1, 2, 3, 7, 64]) {
      const url = await serve(async ({ response }) => {
        response.writeHead(200, streamHeaders);
        for (let start = 0; start < bytes.length; start += size) {
          response.write(bytes.subarray(start, start + size));
          await new Promise((resolve) => setImmediate(resolve));
        }
        response.end();
      });
      const { response } = await collect(at(url));
      expect(response?.content).toEqual([{ type: "text", text: "Grüße, 世界 👋🏽" }]);
    }
  });

  it("reads an error without JSON, and one with the id of its request", async () => {
    const plain = await given(`${toWire([messageStart])}event: error\ndata: upstream is gone\n\n`);
    expect(plain.error).toMatchObject({ code: "server-error", facts: { requestId: "req_wire" } });
    expect(plain.error?.message).toContain("upstream is gone");
    const error = { type: "rate_limit_error", message: "Too much" };
    const coded = await given(toWire([messageStart, { type: "error", error }]));
    expect(coded.error).toMatchObject({ code: "rate-limited", retryable: true });
  });

  it("says that the address is wrong where something else answers", async () => {
    const url = await serve(({ response }) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html><body>Log in</body></html>");
    });
    const { error } = await collect(at(url));
    expect(error).toMatchObject({ code: "malformed-response", fix: "Check the base URL." });
    expect(error?.message).toContain("text/html");
  });

  it("stays with a stream that only pings for an hour", async () => {
    const clock = createVirtualClock();
    const idleMs = 60_000;
    const pings = 60;
    let waits = 0;
    const counting = {
      ...clock,
      sleep(ms: number, signal?: AbortSignal) {
        waits += 1;
        return clock.sleep(ms, signal);
      },
    };
    const url = await serve(async ({ response }) => {
      response.writeHead(200, streamHeaders);
      response.write(toWire([messageStart]));
      for (let sent = 0; sent < pings; sent += 1) {
        // The client waits anew for every piece that comes.
        while (waits < sent + 2) await turn();
        await clock.advance(idleMs - 1);
        response.write(sent % 2 === 0 ? toWire([{ type: "ping" }]) : ": still here\n\n");
      }
      response.end(toWire([...textBlock(0, "At last."), ...messageEnd()]));
    });
    const { response } = await collect(at(url, { clock: counting, idleTimeoutMs: idleMs }));
    expect(response?.content).toEqual([{ type: "text", text: "At last." }]);
    expect(clock.monotonic()).toBe(pings * (idleMs - 1));
  });

  it("uses one connection for responses that follow each other", async () => {
    const ports = new Set<number | undefined>();
    const url = await serve(({ request, response }) => {
      ports.add(request.socket.remotePort);
      response.writeHead(200, streamHeaders);
      response.end(toWire(whole));
    });
    const clock = createVirtualClock();
    const model = at(url, { clock });
    for (let count = 0; count < 5; count += 1) {
      expect((await collect(model)).response).toBeDefined();
      while (clock.sleeping > 0) await turn();
    }
    expect(ports.size).toBe(1);
  });

  it("has the response once its last event has come, even where the server never hangs up", async () => {
    const closed: Promise<void>[] = [];
    const clock = createVirtualClock();
    const url = await serve(({ response }) => {
      closed.push(new Promise((resolve) => response.on("close", resolve)));
      response.writeHead(200, streamHeaders);
      response.write(toWire(whole));
    });
    const { response } = await collect(at(url, { clock, idleTimeoutMs: 1_000 }));
    expect(response?.content).toEqual([{ type: "text", text: "Hello." }]);
    while (clock.sleeping === 0) await turn();
    await clock.advance(1_000);
    await Promise.all(closed);
  });

  it("leaves no listener behind in a signal that outlives many requests", async () => {
    const url = await serve(({ response }) => {
      response.writeHead(200, streamHeaders);
      response.end(toWire(whole));
    });
    const model = at(url);
    const { signal } = new AbortController();
    let listeners = 0;
    const counted = new Proxy(signal, {
      get(target, name) {
        if (name === "addEventListener") listeners += 1;
        if (name === "removeEventListener") listeners -= 1;
        const value = Reflect.get(target, name);
        return typeof value === "function" ? value.bind(target) : value;
      },
    });
    for (let count = 0; count < 3; count += 1) await collect(model, hello, counted);
    expect(listeners).toBe(0);
  });
});

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
