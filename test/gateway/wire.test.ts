import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { key, model, requestEnds, startGateway } from "./gateway-stage.ts";
import { helloMessage, type RawRequest, rawUpstream, sayHello, streamedHello } from "./raw-upstream.ts";

async function gatewayTo(upstream: string, more: object = {}) {
  const home = await temporaryFolder();
  return { home, ...(await startGateway({ upstream, home, cwd: home, ...more })) };
}

function post(url: string, body: string | Buffer, headers: Record<string, string> = {}) {
  return fetch(`${url}/v1/messages`, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "x-api-key": key,
      "anthropic-version": "2023-06-01",
      ...headers,
    },
  });
}

/** Odd on purpose: spaces, fields in any order, escapes, a marker, a field nobody knows. */
const oddBody = (words: string, more = "") =>
  `{ "messages":[ {"content":[{"type":"text","text":"${words} \\u00e9 \\/ ","cache_control":{"type":"ephemeral"}}],"role":"user"}${more} ],\n\t"max_tokens" : 50, "model":"${model}", "x_unknown": {"b":1,"a":[]},"metadata":{"user_id":"u"} }`;

describe("what goes over the wire", () => {
  it("is the client's own body to the byte where nothing is due, in every request of a conversation", async () => {
    const upstream = await rawUpstream();
    const { gateway, events } = await gatewayTo(upstream.url);
    const more = `, {"role":"assistant","content":"Hello."}, {"role":"user","content":"And now?"}`;
    const bodies = [oddBody("one"), oddBody("one", more)];
    for (const body of bodies) {
      const answer = await post(gateway.url, body);
      expect(await answer.json()).toEqual(helloMessage);
    }
    await gateway.idle();
    expect(upstream.requests.map(({ body }) => body.toString())).toEqual(bodies);
    expect(requestEnds(events).map(({ match, sent }) => [match, sent])).toEqual([
      ["first", "raw"],
      ["continue", "raw"],
    ]);
  });

  it("keeps the client's headers, and drops those that are the gateway's or the connection's", async () => {
    const upstream = await rawUpstream();
    const { gateway } = await gatewayTo(upstream.url);
    await post(gateway.url, oddBody("x"), {
      "anthropic-beta": "one-2025,two-2025",
      "x-palimpsest-session": "mine",
      "user-agent": "agent/1",
    });
    const { headers } = upstream.requests[0] as RawRequest;
    expect(headers).toMatchObject({
      "x-api-key": key,
      "anthropic-beta": "one-2025,two-2025",
      "user-agent": "agent/1",
      host: upstream.url.replace("http://", ""),
      "accept-encoding": "identity",
    });
    expect(headers["x-palimpsest-session"]).toBeUndefined();
  });

  it("passes a stream on chunk by chunk, while the provider is still speaking", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const [first = "", ...rest] = streamedHello();
    const upstream = await rawUpstream(async (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(first);
      await held;
      response.end(rest.join(""));
    });
    const { gateway } = await gatewayTo(upstream.url);
    const answer = await post(
      gateway.url,
      oddBody("stream").replace('"max_tokens"', '"stream":true,"max_tokens"'),
    );
    const reader = (answer.body as ReadableStream<Uint8Array>).getReader();
    const { value } = await reader.read();
    expect(Buffer.from(value ?? []).toString()).toBe(first);
    release();
    let text = first;
    for (let read = await reader.read(); !read.done; read = await reader.read())
      text += Buffer.from(read.value);
    expect(text).toBe([first, ...rest].join(""));
  });

  it("ends the provider's work when the client leaves, and takes the next request", async () => {
    let closed = (): void => undefined;
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    let isFirst = true;
    const upstream = await rawUpstream((request, response) => {
      if (!isFirst) return sayHello(request, response);
      isFirst = false;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(streamedHello()[0]);
      response.once("close", closed);
    });
    const { gateway, events } = await gatewayTo(upstream.url);
    const leaving = new AbortController();
    const answer = await fetch(`${gateway.url}/v1/messages`, {
      method: "POST",
      body: oddBody("leave"),
      signal: leaving.signal,
    });
    await (answer.body as ReadableStream<Uint8Array>).getReader().read();
    leaving.abort();
    await gone;
    expect((await post(gateway.url, oddBody("leave"))).status).toBe(200);
    await gateway.idle();
    expect(requestEnds(events).map(({ outcome, match }) => [outcome, match])).toEqual([
      ["client-gone", "first"],
      ["whole", expect.stringMatching(/first|retry/)],
    ]);
  });

  it("follows no redirection, and lets nobody follow it", async () => {
    const upstream = await rawUpstream((_request, response) => {
      response.writeHead(307, { location: "http://127.0.0.1:9/v1/messages" });
      response.end();
    });
    const { gateway } = await gatewayTo(upstream.url);
    const answer = await post(gateway.url, oddBody("x"));
    expect(answer.status).toBe(502);
    expect(answer.headers.get("location")).toBeNull();
    expect(await answer.json()).toMatchObject({ error: { code: "upstream-redirect" } });
  });

  it("passes everything else through untouched, and errors as they are", async () => {
    const upstream = await rawUpstream((request, response) => {
      const isWrong = request.url.includes("wrong");
      response.writeHead(isWrong ? 429 : 200, { "content-type": "text/plain", "retry-after": "7" });
      response.end(`${request.method} ${request.url}`);
    });
    const { gateway } = await gatewayTo(upstream.url);
    const paths = ["/v1/responses", "/v1/files?limit=3&x=%2F", "/v1/messages/batches", "/wrong"];
    for (const path of paths) {
      const answer = await fetch(gateway.url + path, { method: "POST", body: "any\u0000thing" });
      expect(await answer.text()).toBe(`POST ${path}`);
      expect(answer.status).toBe(path === "/wrong" ? 429 : 200);
      expect(answer.headers.get("retry-after")).toBe("7");
    }
    expect(upstream.requests.map(({ body }) => body.toString())).toEqual(paths.map(() => "any\u0000thing"));
    const unreadable = await post(gateway.url, "{ not json");
    expect(upstream.requests.at(-1)?.body.toString()).toBe("{ not json");
    expect(unreadable.status).toBe(200);
  });

  it("says so where the provider cannot be reached, and stays alive", async () => {
    const { gateway } = await gatewayTo("http://127.0.0.1:9");
    const answer = await post(gateway.url, oddBody("x"));
    expect(answer.status).toBe(502);
    expect(await answer.json()).toMatchObject({ type: "error", error: { code: "upstream-unreachable" } });
    expect((await fetch(`${gateway.url}/palimpsest/status`)).status).toBe(200);
  });

  it("leaves a request alone whose client looks after its context itself", async () => {
    const upstream = await rawUpstream();
    const { gateway, events } = await gatewayTo(upstream.url);
    const body = oddBody("x").replace('"x_unknown"', '"context_management":{"edits":[]},"x_unknown"');
    await post(gateway.url, body);
    await post(gateway.url, oddBody("y"), { "anthropic-beta": "compact-2026-01-12" });
    await post(gateway.url, oddBody("z"), { "anthropic-beta": "message-threads-2026-08-12" });
    await gateway.idle();
    expect(upstream.requests[0]?.body.toString()).toBe(body);
    expect(requestEnds(events).map(({ sent, session }) => [sent, session])).toEqual([
      ["observed", undefined],
      ["observed", undefined],
      ["observed", undefined],
    ]);
  });

  it("writes no key anywhere, and tells nobody", async () => {
    const upstream = await rawUpstream();
    const { gateway, events, home } = await gatewayTo(upstream.url);
    await post(gateway.url, oddBody("x"), { authorization: `Bearer ${key}` });
    await fetch(`${gateway.url}/v1/models?key=${key}`);
    await gateway.idle();
    const status = await (await fetch(`${gateway.url}/palimpsest/status`)).text();
    await gateway.close();
    const names = await readdir(home, { recursive: true, withFileTypes: true });
    const files = names.filter((name) => name.isFile()).map((name) => join(name.parentPath, name.name));
    expect(files.length).toBeGreaterThan(2);
    for (const file of files) expect(await readFile(file, "utf8"), file).not.toContain(key);
    expect(status + JSON.stringify(events)).not.toContain(key);
    expect(upstream.requests[0]?.headers["x-api-key"]).toBe(key);
  });
});
