import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import type { GatewayEvent, GatewayOptions } from "../../packages/palimpsest/src/surfaces/gateway/index.ts";
import { createVirtualClock } from "../../packages/testing/src/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startGateway } from "./gateway-stage.ts";
import { rawUpstream } from "./raw-upstream.ts";

async function gatewayWith(options: GatewayOptions = {}) {
  const upstream = await rawUpstream();
  const home = await temporaryFolder();
  const started = await startGateway({ upstream: upstream.url, home, cwd: home, ...options });
  return { ...started, upstream };
}

/** Sends bytes over a socket of its own, and gives what comes back until the connection ends. */
async function talk(port: number, bytes: string): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  let heard = "";
  socket.on("data", (chunk) => {
    heard += chunk;
  });
  socket.write(bytes);
  await once(socket, "close");
  return heard;
}

const post = (port: number, lines: readonly string[], body = "") =>
  ["POST /v1/messages HTTP/1.1", `host: 127.0.0.1:${port}`, ...lines, "", body].join("\r\n");

const refusals = (events: readonly GatewayEvent[]) =>
  events.flatMap((event) => (event.type === "request-refuse" ? event.code : []));

describe("raw requests that nobody who means well sends", () => {
  const attacks: readonly (readonly [string, string, number, (port: number) => string])[] = [
    [
      "an absolute URI",
      "target-refused",
      400,
      (port) => `GET http://evil.example/v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`,
    ],
    [
      "a URI of another host",
      "target-refused",
      400,
      (port) => `GET //evil.example/x HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`,
    ],
    [
      "a path that leads upward",
      "target-refused",
      400,
      (port) => `GET /v1/%2e%2e/admin HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`,
    ],
    ...(
      [
        ["that leads upward behind an encoded slash", "/v1%2f..%2fadmin"],
        ["that leads upward behind a parameter", "/v1/..;/admin"],
        ["that leads upward once it is decoded twice", "/v1/%252e%252e/admin"],
        ["with a backslash", "/v1\\messages"],
        ["with an encoded backslash", "/v1/messages%5c..%5cx"],
        ["with a backslash in front", "/\\evil.example/v1/messages"],
        ["with a fragment", "/v1/messages#@evil.example/"],
        ["with a line in it", "/v1/models%0d%0ahost:%20evil.example"],
        ["with a percent sign for nothing", "/v1/%c0%ae%c0%ae/admin"],
        ["for the server as a whole", "*"],
      ] as const
    ).map(
      ([what, target]) =>
        [
          `a path ${what}`,
          "target-refused",
          400,
          (port: number) => `GET ${target} HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`,
        ] as const,
    ),
    [
      "two hosts",
      "headers-ambiguous",
      400,
      (port) => `GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nhost: evil.example\r\n\r\n`,
    ],
    [
      "a host that leads here by name",
      "host-refused",
      403,
      (port) => `GET /v1/models HTTP/1.1\r\nhost: evil.example:${port}\r\n\r\n`,
    ],
    [
      "the right host at another port",
      "host-refused",
      403,
      () => "GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:1\r\n\r\n",
    ],
    ["no host", "host-refused", 403, () => "GET /v1/models HTTP/1.1\r\n\r\n"],
    [
      "a page of another server",
      "origin-refused",
      403,
      (port) => `GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\norigin: https://evil.example\r\n\r\n`,
    ],
    [
      "a length and a coding at once",
      "request-malformed",
      400,
      (port) =>
        post(
          port,
          ["content-length: 4", "transfer-encoding: chunked"],
          "0\r\n\r\nGET /smuggled HTTP/1.1\r\n\r\n",
        ),
    ],
    [
      "two lengths",
      "request-malformed",
      400,
      (port) => post(port, ["content-length: 4", "content-length: 9"], "abcd"),
    ],
    [
      "a strange coding",
      "headers-ambiguous",
      400,
      (port) => post(port, ["transfer-encoding: xchunked"], "4\r\nabcd\r\n0\r\n\r\n"),
    ],
    [
      "a coding twice",
      "request-malformed",
      400,
      (port) => post(port, ["transfer-encoding: chunked, identity"], "0\r\n\r\n"),
    ],
    ["a length that is none", "request-malformed", 400, (port) => post(port, ["content-length: +4"], "abcd")],
    ["a folded header", "request-malformed", 400, (port) => post(port, ["x-a: b\r\n c"], "")],
    ["giant headers", "headers-too-large", 431, (port) => post(port, [`x-giant: ${"a".repeat(70_000)}`])],
    [
      "a tunnel",
      "method-refused",
      405,
      (port) => `CONNECT evil.example:443 HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\n\r\n`,
    ],
    [
      "another protocol",
      "upgrade-refused",
      426,
      (port) =>
        `GET /v1/models HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
    ],
    [
      "a body that says it is too large",
      "body-too-large",
      413,
      (port) => post(port, ["content-length: 99999999"]),
    ],
    ["no HTTP", "request-malformed", 400, () => "\u0016\u0003\u0001\u0002\u0000\u0001hello\r\n\r\n"],
  ];

  it.each(attacks)("refuses %s", async (_name, code, status, bytes) => {
    const { gateway, events, upstream } = await gatewayWith();
    const heard = await talk(gateway.port, bytes(gateway.port));
    expect(heard).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(heard.match(/^HTTP\/1\.1 /gm)).toHaveLength(1);
    expect(refusals(events)).toEqual([code]);
    expect(upstream.requests).toEqual([]);
    expect((await fetch(`${gateway.url}/palimpsest/status`)).status).toBe(200);
  });

  it("refuses a body that comes too slowly", async () => {
    const clock = createVirtualClock();
    const { gateway, events } = await gatewayWith({ clock });
    const socket = connect(gateway.port, "127.0.0.1");
    let heard = "";
    socket.on("data", (chunk) => {
      heard += chunk;
    });
    socket.write(post(gateway.port, ["content-length: 40"], "{"));
    const closed = once(socket, "close");
    let isClosed = false;
    void closed.then(() => {
      isClosed = true;
    });
    while (!isClosed) {
      await new Promise((resolve) => setImmediate(resolve));
      clock.advance(1_000);
    }
    expect(heard).toMatch(/^HTTP\/1\.1 408 /);
    expect(refusals(events)).toEqual(["body-too-slow"]);
    expect((await fetch(`${gateway.url}/palimpsest/status`)).status).toBe(200);
  });

  it("refuses a body that turns out too large", async () => {
    const { gateway, events } = await gatewayWith({ limits: { bodyBytes: 1_000 } });
    const chunk = `${(600).toString(16)}\r\n${"x".repeat(600)}\r\n`;
    const heard = await talk(gateway.port, post(gateway.port, ["transfer-encoding: chunked"], chunk + chunk));
    expect(heard).toMatch(/^HTTP\/1\.1 413 /);
    expect(refusals(events)).toEqual(["body-too-large"]);
  });

  it("asks for its token where it has one, and keeps it from the provider", async () => {
    const token = "t0ken-of-the-gateway-itself";
    const { gateway, events, upstream } = await gatewayWith({ token });
    const ask = (headers: Record<string, string>) => fetch(`${gateway.url}/v1/files`, { headers });
    expect((await ask({})).status).toBe(401);
    expect((await ask({ authorization: "Bearer something-else" })).status).toBe(401);
    expect((await fetch(`${gateway.url}/palimpsest/status`)).status).toBe(401);
    expect((await ask({ "x-palimpsest-token": token, authorization: "Bearer provider" })).status).toBe(200);
    expect((await ask({ authorization: `Bearer ${token}`, "x-api-key": "provider" })).status).toBe(200);
    expect((await ask({ "proxy-authorization": `Bearer ${token}` })).status).toBe(200);
    expect(JSON.stringify(upstream.requests)).not.toContain(token);
    expect(upstream.requests.map(({ headers }) => [headers.authorization, headers["x-api-key"]])).toEqual([
      ["Bearer provider", undefined],
      [undefined, "provider"],
      [undefined, undefined],
    ]);
    expect(refusals(events)).toEqual(["token-refused", "token-refused", "token-refused"]);
  });

  it("takes no upstream that is no plain address", async () => {
    for (const upstream of ["nonsense", "file:///etc/passwd", "http://user:pass@host", "http://host/?a=b"])
      await expect(gatewayWith({ upstream })).rejects.toMatchObject({ code: "invalid-input" });
  });
});
