import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createCatalog } from "@palimpsest/core/catalog";
import { checkLocalRequest, type LocalRefusal } from "@palimpsest/core/internal/local-request";
import { PalimpsestError } from "@palimpsest/core/spec";
import { createVirtualClock } from "../virtual-clock.ts";
import { createEmulatedModels } from "./emulated-models.ts";
import type { Emulator, EmulatorOptions } from "./emulator.ts";
import type { RecordedRequest } from "./recorded-request.ts";
import { createRequestLog, type OpenRequest } from "./request-log.ts";
import { runScript } from "./script/run-script.ts";
import { apiError, errorBody } from "./server/api-error.ts";
import { maskHeaders } from "./server/check-headers.ts";
import { createEmulation, type Emulation } from "./server/emulation.ts";
import type { Exchange } from "./server/exchange.ts";
import { handleRequest } from "./server/handle-request.ts";
import { type Route, routeRequest } from "./server/route-request.ts";

const defaultKeepRequests = 1_000;
const defaultKeepBodies = 100;
const keepBodyBytes = 67_108_864;
const defaultHost = "127.0.0.1";
/** Where only this machine can come from. */
const loopback = /^(?:127\.0\.0\.1|localhost|::1)$/i;
/** Many clients may knock at once. */
const backlog = 4_096;

/**
 * Starts a server that speaks the Messages API and chat completions, with a simulated prompt cache and scripted answers. Rejects with `io`
 * when it cannot listen there, and with `invalid-input` when the options are wrong.
 */
export async function createEmulator(options: EmulatorOptions = {}): Promise<Emulator> {
  const {
    clock = createVirtualClock(),
    host = defaultHost,
    port = 0,
    seed = "",
    keys,
    answerModel,
  } = options;
  checkSeed(seed);
  const models = createEmulatedModels(createCatalog(options.catalog), options.models);
  let script = options.script;
  const begin = () => createEmulation({ clock, models, seed, script, keys, answerModel });
  let emulation = begin();
  const log = createRequestLog({
    keepRequests: options.keepRequests ?? defaultKeepRequests,
    keepBodies: options.keepBodies ?? defaultKeepBodies,
    keepBodyBytes,
  });
  const listeners = new Set<(request: RecordedRequest) => void>();
  const open = new Set<Promise<void>>();

  async function answer(exchange: Exchange): Promise<void> {
    const { record } = exchange;
    await handleRequest(exchange);
    log.close(record);
    for (const listener of listeners) listener(record);
  }

  const server = createServer((request, response) => {
    const foreign = checkLocalRequest(
      request.rawHeaders,
      address.port,
      loopback.test(host) ? "machine" : "network",
    );
    // Nothing of it is read or recorded, and it uses no reply up.
    if (foreign) return refuseForeign(response, foreign);
    const url = urlOf(request.url);
    const route = routeRequest(request.method ?? "", url.pathname, request.headers);
    const record = openRequest(request, url, route, emulation);
    log.add(record);
    const answering = answer({ request, response, url, route, record, emulation });
    open.add(answering);
    answering.finally(() => open.delete(answering));
  });
  // A connection that the server closes just as a client uses it again would look like a fault nobody asked for.
  server.keepAliveTimeout = 0;
  server.requestTimeout = 0;
  server.headersTimeout = 0;
  server.on("connection", (socket) => socket.setNoDelay(true));
  server.listen({ host, port, backlog });
  await once(server, "listening").catch((cause: NodeJS.ErrnoException) => {
    throw cannotListen(host, port, cause);
  });
  const address = server.address() as AddressInfo;

  return {
    url: `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`,
    port: address.port,
    requests: log.requests,
    setScript(next) {
      script = next;
      emulation.script = runScript(next);
    },
    onRequest(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async idle() {
      while (open.size > 0) await Promise.all(open);
    },
    reset() {
      emulation = begin();
      log.clear();
    },
    async close() {
      const closed = server.listening ? once(server, "close") : undefined;
      server.close();
      server.closeAllConnections();
      await closed;
      await Promise.all(open);
    },
  };
}

function refuseForeign(response: ServerResponse, { status, reason }: LocalRefusal): void {
  const error = apiError("permission_error", `emulator: ${reason}`);
  const body = JSON.stringify(errorBody(error, "req_refused"));
  response.writeHead(status, { "content-type": "application/json", connection: "close" });
  response.end(body, () => response.req.socket.destroySoon());
}

function checkSeed(seed: string): void {
  if (/^[A-Za-z0-9-]*$/.test(seed)) return;
  throw new PalimpsestError("invalid-input", `“${seed}” is no seed for an emulator.`, {
    fix: "Use letters, digits and dashes only.",
  });
}

/** Some things that stand in a request line are no URL: they lead nowhere. */
function urlOf(target = "/"): URL {
  const base = "http://emulator";
  return URL.canParse(target, base) ? new URL(target, base) : new URL("/", base);
}

function cannotListen(host: string, port: number, cause: NodeJS.ErrnoException): PalimpsestError {
  const isTaken = cause.code === "EADDRINUSE";
  const reason = isTaken ? "another program uses it" : cause.message;
  return new PalimpsestError("io", `Cannot listen on ${host}, port ${port}: ${reason}.`, {
    fix: isTaken ? "Choose another port, or 0 for a free one." : "Choose another host or port.",
    cause,
  });
}

/** The record of a request that has just arrived. */
function openRequest(
  request: IncomingMessage,
  url: URL,
  { endpoint }: Route,
  emulation: Emulation,
): OpenRequest {
  return {
    number: emulation.count("all"),
    ordinal: emulation.count(endpoint),
    endpoint,
    method: request.method ?? "",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: maskHeaders(request.headers),
    startedAt: emulation.clock.now(),
    bodyBytes: 0,
    isStream: false,
    violations: [],
    outcome: "pending",
    requestId: emulation.ids.next("req"),
    events: 0,
  };
}
