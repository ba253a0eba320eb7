import { once } from "node:events";
import { request } from "node:http";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { maxBodyBytes } from "../../packages/testing/src/emulator/server/handle-request.ts";
import {
  atRequest,
  callTool,
  createEmulator,
  fault,
  otherwise,
  say,
} from "../../packages/testing/src/index.ts";
import { emulate, hello, model } from "../support/emulator.ts";

const headers = { "x-api-key": "sk-secret", "anthropic-version": "2023-06-01" };

const post = (url: string, body: unknown, given: Record<string, string> = headers) =>
  fetch(`${url}/v1/messages`, {
    method: "POST",
    headers: given,
    body: typeof body === "string" ? body : JSON.stringify(body),
  });

interface WireAnswer {
  readonly error: { readonly type: string; readonly message: string };
  readonly request_id: string;
  readonly usage: Readonly<Record<string, number>>;
  readonly data: readonly unknown[];
}

const jsonOf = async (response: Response) => (await response.json()) as WireAnswer;

const errorOf = async (response: Response) => {
  const { error, request_id } = await jsonOf(response);
  expect(request_id).toBe(response.headers.get("request-id"));
  return [response.status, error.type, error.message];
};

describe("the emulator over HTTP", () => {
  it("refuses what the API refuses before it looks at the body", async () => {
    const { emulator } = await emulate();
    const { url } = emulator;
    expect(await errorOf(await post(url, hello, {}))).toEqual([
      401,
      "authentication_error",
      "x-api-key header is required",
    ]);
    expect(await errorOf(await post(url, hello, { authorization: "Bearer x" }))).toEqual([
      400,
      "invalid_request_error",
      "anthropic-version: header is required",
    ]);
    expect(await errorOf(await fetch(`${url}/v1/complete`, { headers }))).toEqual([
      404,
      "not_found_error",
      "Not found: /v1/complete",
    ]);
    const wrongMethod = await fetch(`${url}/v1/messages`, { headers });
    expect(wrongMethod.headers.get("allow")).toBe("POST");
    expect((await errorOf(wrongMethod)).slice(0, 2)).toEqual([405, "invalid_request_error"]);
    expect((await errorOf(await post(url, '{"model":'))).slice(0, 2)).toEqual([400, "invalid_request_error"]);
    for (const body of ["[]", "null", "3"])
      expect((await errorOf(await post(url, body))).slice(0, 2)).toEqual([400, "invalid_request_error"]);
    const listed = await fetch(`${url}/v1/models?limit=0`, { headers });
    expect((await errorOf(listed)).slice(0, 2)).toEqual([400, "invalid_request_error"]);
    expect([...emulator.requests].every(({ outcome }) => outcome === "refused")).toBe(true);
  });

  it("answers no page of another site, and no name that was made to point here", async () => {
    const { emulator } = await emulate();
    const ask = (given: Record<string, string>) =>
      new Promise<unknown>((resolve, reject) => {
        const all = { ...headers, host: `127.0.0.1:${emulator.port}`, ...given };
        const sent = request(
          { host: "127.0.0.1", port: emulator.port, path: "/v1/models", headers: all },
          (response) => {
            response.resume();
            resolve(response.statusCode);
          },
        );
        sent.once("error", reject).end();
      });
    const foreign: Record<string, string>[] = [
      { host: `evil.example:${emulator.port}` },
      { host: "127.0.0.1:1" },
      { origin: "https://evil.example" },
      { origin: "null" },
      { "sec-fetch-site": "cross-site" },
      { "sec-fetch-site": "same-site" },
    ];
    for (const given of foreign) expect(await ask(given), JSON.stringify(given)).toBe(403);
    expect(emulator.requests.total).toBe(0);
    expect(await ask({ host: `localhost:${emulator.port}` })).toBe(200);
    expect(await ask({ origin: emulator.url, "sec-fetch-site": "same-origin" })).toBe(200);
  });

  it("is reached from other machines by address or a name of their own, and by no page there", async () => {
    const { emulator } = await emulate({ host: "0.0.0.0" });
    const ask = (given: Record<string, string>) =>
      new Promise<unknown>((resolve, reject) => {
        const options = { host: "127.0.0.1", port: emulator.port, path: "/v1/models" };
        const sent = request({ ...options, headers: { ...headers, ...given } }, (response) => {
          response.resume();
          resolve(response.statusCode);
        });
        sent.once("error", reject).end();
      });
    for (const host of ["192.168.1.5:4010", "emulator:8080", "host.docker.internal"])
      expect(await ask({ host }), host).toBe(200);
    expect(await ask({ host: "evil.example" })).toBe(403);
    expect(await ask({ host: "emulator:8080", origin: "http://evil.example" })).toBe(403);
  });

  it("takes 32 MB and not a byte more", async () => {
    const { emulator } = await emulate({
      catalog: { capabilities: { "*": { contextWindow: 100_000_000 } } },
    });
    const frame = JSON.stringify({ ...hello, messages: [{ role: "user", content: "" }] });
    const content = "a".repeat(maxBodyBytes - frame.length);
    const body = JSON.stringify({ ...hello, messages: [{ role: "user", content }] });
    expect((await post(emulator.url, body)).status).toBe(200);
    expect(await errorOf(await post(emulator.url, `${body} `))).toEqual([
      413,
      "request_too_large",
      "Request exceeds the maximum size",
    ]);
    expect([...emulator.requests].map(({ bodyBytes }) => bodyBytes)).toEqual([
      maxBodyBytes,
      maxBodyBytes + 1,
    ]);
  });

  it("records no more of a wrong request than is worth it", async () => {
    const { emulator } = await emulate();
    const messages = Array.from({ length: 5_000 }, () => ({ role: "nobody", content: 3 }));
    await post(emulator.url, { ...hello, messages });
    expect(emulator.requests.last?.violations).toHaveLength(100);
    await post(emulator.url, { ...hello, model: "x".repeat(1_000_000) });
    expect(emulator.requests.last).toMatchObject({ status: 404, model: "x".repeat(1_000) });
    expect(emulator.requests.last?.error?.message).toHaveLength(1_000);
  });

  it("outlives what is no HTTP", async () => {
    const { emulator } = await emulate();
    const socket = connect(emulator.port, "127.0.0.1");
    socket.resume().end("rubbish\r\n\r\n");
    await once(socket, "close");
    expect((await post(emulator.url, hello)).status).toBe(200);
  });

  it("masks secrets in what it records", async () => {
    const { emulator } = await emulate();
    await post(emulator.url, hello, { ...headers, authorization: "Bearer hunter2", cookie: "a=b" });
    const recorded = JSON.stringify([...emulator.requests]);
    expect(recorded).not.toMatch(/sk-secret|hunter2|a=b/);
    expect(emulator.requests.last?.headers["x-api-key"]).toBe("[masked]");
  });

  it("gives the same bytes for the same requests and seed, and after a reset", async () => {
    const script = [callTool("Read", { file_path: "a" }), fault.overloaded(), otherwise(say("Rest."))];
    const talk = async (url: string) => {
      const texts: string[] = [];
      for (const stream of [false, true, true, false])
        texts.push(await (await post(url, { ...hello, stream })).text());
      return texts;
    };
    const { emulator: one } = await emulate({ script, seed: "a" });
    const { emulator: two } = await emulate({ script, seed: "a" });
    const { emulator: other } = await emulate({ script, seed: "b" });
    const first = await talk(one.url);
    expect(await talk(two.url)).toEqual(first);
    expect(await talk(other.url)).not.toEqual(first);
    one.reset();
    expect(one.requests.total).toBe(0);
    expect(await talk(one.url)).toEqual(first);
  });

  it("lets a parallel request miss what another is about to write", async () => {
    let answerFirst = () => {};
    let noteArrival = () => {};
    const arrived = new Promise<void>((resolve) => {
      noteArrival = resolve;
    });
    const { emulator } = await emulate({
      script: [
        atRequest(1, () => {
          noteArrival();
          return new Promise((resolve) => {
            answerFirst = () => resolve(say("Late."));
          });
        }),
      ],
    });
    const system = [{ type: "text", text: "Rules. ".repeat(4_000), cache_control: { type: "ephemeral" } }];
    const first = post(emulator.url, { ...hello, system });
    await arrived;
    const { usage: parallel } = await jsonOf(await post(emulator.url, { ...hello, system }));
    expect(parallel).toMatchObject({ cache_read_input_tokens: 0 });
    answerFirst();
    expect((await jsonOf(await first)).usage).toEqual(
      expect.objectContaining({ cache_read_input_tokens: 0 }),
    );
    const { usage: later } = await jsonOf(await post(emulator.url, { ...hello, system }));
    expect(later.cache_read_input_tokens).toBe(parallel.cache_creation_input_tokens);
    expect(later.cache_read_input_tokens).toBeGreaterThan(4_096);
  });

  it("closes while a script has no answer, and notices a client that does not wait for one", async () => {
    let noteArrival = () => {};
    const { emulator } = await emulate({
      script: () => {
        noteArrival();
        return new Promise(() => {});
      },
    });
    const asking = async () => {
      const arrived = new Promise<void>((resolve) => {
        noteArrival = resolve;
      });
      const controller = new AbortController();
      const { signal } = controller;
      const body = JSON.stringify(hello);
      const failed = expect(
        fetch(`${emulator.url}/v1/messages`, { method: "POST", headers, body, signal }),
      ).rejects.toThrow();
      await arrived;
      return { controller, failed };
    };
    const left = await asking();
    left.controller.abort();
    await left.failed;
    await emulator.idle();
    expect(emulator.requests.last?.outcome).toBe("abandoned");
    const waiting = await asking();
    await emulator.close();
    await waiting.failed;
  });

  it("answers only for the models it is given", async () => {
    const { emulator } = await emulate({
      models: [{ id: "tiny-1", aliases: ["tiny"], capabilities: { contextWindow: 50 } }],
    });
    expect((await post(emulator.url, { ...hello, model: "tiny", max_tokens: 10 })).status).toBe(200);
    expect(emulator.requests.last?.model).toBe("tiny-1");
    expect((await post(emulator.url, { ...hello, model })).status).toBe(404);
    const { data } = await jsonOf(await fetch(`${emulator.url}/v1/models`, { headers }));
    expect(data).toMatchObject([{ id: "tiny-1", max_input_tokens: 50 }]);
  });

  it("says so when it cannot be made", async () => {
    const { emulator } = await emulate();
    await expect(createEmulator({ port: emulator.port })).rejects.toMatchObject({ code: "io" });
    await expect(createEmulator({ models: [] })).rejects.toMatchObject({ code: "invalid-input" });
    await expect(createEmulator({ seed: "no spaces" })).rejects.toMatchObject({ code: "invalid-input" });
    expect(() => fault.cut({ afterEvent: -1 })).toThrow("A stream cannot break after -1 events");
  });

  it("closes twice, and tells listeners no more than they asked for", async () => {
    const emulator = await createEmulator();
    const heard: number[] = [];
    const stop = emulator.onRequest(({ number }) => heard.push(number));
    await post(emulator.url, hello);
    await emulator.idle();
    stop();
    await post(emulator.url, hello);
    await emulator.close();
    await emulator.close();
    expect(heard).toEqual([1]);
  });
});
