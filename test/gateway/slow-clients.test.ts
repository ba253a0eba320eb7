import { once } from "node:events";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import type { GatewayOptions } from "../../packages/palimpsest/src/surfaces/gateway/index.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { startGateway } from "./gateway-stage.ts";
import { rawUpstream, sayHello } from "./raw-upstream.ts";
import { openSlowClients } from "./slow-clients.ts";

const count = 1_000;
const connections = 100;

async function gatewayWith(limits: GatewayOptions["limits"] = {}) {
  const upstream = await rawUpstream();
  const home = await temporaryFolder();
  const started = await startGateway({ upstream: upstream.url, home, cwd: home, limits });
  return { ...started, upstream };
}

const statusOf = async (url: string) => (await fetch(`${url}/palimpsest/status`)).status;

describe("clients that never finish", () => {
  it(`${count} of them at a gateway for ${connections} leave the status and everybody else answered`, async () => {
    const { gateway, upstream } = await gatewayWith({ connections, requests: 60 });
    const clients = await openSlowClients(gateway.port, count);
    expect(await statusOf(gateway.url)).toBe(200);
    for (let round = 0; round < 5; round += 1) {
      clients.trickle();
      expect(await statusOf(gateway.url)).toBe(200);
      const answer = await fetch(`${gateway.url}/v1/messages`, { method: "POST", body: "{}" });
      expect(answer.status).toBe(200);
    }
    await clients.untilAtMost(connections);
    expect(upstream.requests).toHaveLength(5);
    expect(gateway.status().refusals["gateway-full"]).toBeGreaterThanOrEqual(count - connections);
  });

  it("keep no more of their bodies than there is room for", async () => {
    const { gateway, events } = await gatewayWith({ heldBytes: 2_000_000 });
    const begun = `POST /v1/messages HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\ncontent-length: 1000001\r\n\r\n`;
    const sockets = Array.from({ length: 10 }, () => connect(gateway.port, "127.0.0.1"));
    for (const socket of sockets) {
      socket.on("error", () => undefined).resume();
      socket.write(begun + "x".repeat(1_000_000));
    }
    const refused = () => events.flatMap((event) => (event.type === "request-refuse" ? event.code : []));
    while (refused().length < 8) await new Promise((resolve) => setImmediate(resolve));
    expect(new Set(refused())).toEqual(new Set(["gateway-full"]));
    expect(await statusOf(gateway.url)).toBe(200);
    for (const socket of sockets) socket.destroy();
  });

  it("say no, in words, where everything asked in full is under way", async () => {
    let release = (): void => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const upstream = await rawUpstream(async (request, response) => {
      await held;
      sayHello(request, response);
    });
    const home = await temporaryFolder();
    const limits = { requests: 2 };
    const { gateway } = await startGateway({ upstream: upstream.url, home, cwd: home, limits });
    const ask = () => fetch(`${gateway.url}/v1/files`, { method: "POST", body: "{}" });
    const first = [ask(), ask()];
    while (upstream.requests.length < 2) await new Promise((resolve) => setImmediate(resolve));
    const third = await ask();
    expect([third.status, await third.json()]).toEqual([
      503,
      {
        type: "error",
        error: {
          type: "overloaded_error",
          code: "gateway-full",
          message: "The gateway has as many requests as it takes at once. Ask again in a moment.",
        },
      },
    ]);
    expect(await statusOf(gateway.url)).toBe(200);
    release();
    for (const answer of await Promise.all(first)) expect(answer.status).toBe(200);
  });

  it.each([
    ["a tunnel", "CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example\r\n\r\n"],
    ["another protocol", "GET /v1/responses HTTP/1.1\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n"],
    ["no HTTP", "\u0016\u0003\u0001\r\n\r\n"],
  ])(
    "may ask for %s and then break off, or never go: the gateway lives and keeps no connection",
    async (_what, bytes) => {
      const { gateway } = await gatewayWith();
      for (let time = 0; time < 50; time += 1) {
        const socket = connect(gateway.port, "127.0.0.1");
        socket.on("error", () => undefined);
        await once(socket, "connect");
        socket.write(bytes, () => socket.resetAndDestroy());
        await once(socket, "close");
      }
      const staying = connect({ port: gateway.port, host: "127.0.0.1", allowHalfOpen: true });
      staying.on("error", () => undefined).resume();
      await once(staying, "connect");
      staying.write(bytes);
      await once(staying, "end");
      expect(await statusOf(gateway.url)).toBe(200);
    },
  );

  it("may ask many times over one connection without waiting: only a few are relayed at once", async () => {
    const { gateway, upstream } = await gatewayWith({ requestsPerConnection: 2 });
    const socket = connect(gateway.port, "127.0.0.1");
    const request = `GET /v1/files HTTP/1.1\r\nhost: 127.0.0.1:${gateway.port}\r\n\r\n`;
    socket.on("error", () => undefined).resume();
    socket.write(request.repeat(500));
    await once(socket, "close");
    await gateway.idle();
    expect(upstream.requests.length).toBeLessThanOrEqual(2);
    expect(await statusOf(gateway.url)).toBe(200);
  });
});
