import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { anthropicProtocol } from "../anthropic/anthropic-protocol.ts";
import { countTokens } from "../exchange/count-tokens.ts";
import { createExchange, type Exchange, pathOf } from "../exchange/exchange.ts";
import type { GatewayParts } from "../exchange/gateway-parts.ts";
import { manageRequest } from "../exchange/manage-request.ts";
import { passThrough } from "../exchange/pass-through.ts";
import { checkHead } from "../guard/check-head.ts";
import { checkToken } from "../guard/check-token.ts";
import { readBody } from "../guard/read-body.ts";
import type { Refusal, RefusalCode } from "../guard/refusal.ts";
import { openaiProtocol } from "../openai/openai-protocol.ts";
import { sendError } from "../relay/send-error.ts";
import type { GatewayStatus } from "../status/gateway-status.ts";

const statusPath = "/palimpsest/status";

export interface GatewayServer {
  readonly server: Server;
  /** Resolves once no request is under way. */
  idle(): Promise<void>;
}

/** The server behind which everything else stands: nothing gets further that it has not looked at. */
export function createGatewayServer(parts: GatewayParts, status: () => GatewayStatus): GatewayServer {
  const { limits, emit } = parts;
  const open = new Set<Promise<void>>();
  /** What else comes over a connection that was refused is neither answered nor told of. */
  const refused = new WeakSet<object>();
  const server = createServer(
    {
      insecureHTTPParser: false,
      // A request without a host is refused here, and told of.
      requireHostHeader: false,
      maxHeaderSize: limits.headerBytes,
      headersTimeout: limits.headersMs,
      requestTimeout: 0,
      connectionsCheckingInterval: Math.min(1_000, limits.headersMs),
    },
    (request, response) => {
      const answering = answer(request, response).catch(() => void response.destroy());
      open.add(answering);
      void answering.finally(() => open.delete(answering));
    },
  );
  server.maxConnections = limits.connections;
  server.on("connection", (socket) => socket.setNoDelay(true));
  server.on("clientError", (cause: NodeJS.ErrnoException, socket: Socket) => {
    if (refused.has(socket)) return void socket.destroy();
    refused.add(socket);
    const [code, line] = toMalformed(cause);
    emit({ type: "request-refuse", code, method: "", path: "" });
    if (socket.writable) socket.end(`HTTP/1.1 ${line}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
    else socket.destroy();
  });
  for (const event of ["connect", "upgrade"] as const) {
    server.on(event, (request: IncomingMessage, socket: Socket) => {
      emit({ type: "request-refuse", code: "method-refused", ...whatOf(request) });
      socket.end("HTTP/1.1 405 Method Not Allowed\r\nconnection: close\r\ncontent-length: 0\r\n\r\n");
    });
  }

  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    { code, status, message }: Refusal,
  ): void {
    refused.add(request.socket);
    emit({ type: "request-refuse", code, ...whatOf(request) });
    sendError(response, status, code, message);
    response.once("finish", () => request.socket.destroySoon());
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: target = "", rawHeaders, headers } = request;
    const { port } = server.address() as { readonly port: number };
    const wrong = checkHead({ method, target, rawHeaders }, port) ?? checkToken(headers, parts.token);
    if (wrong) return refuse(request, response, wrong);
    if (pathOf(target) === statusPath) return sendStatus(response, status());
    const read = await readBody(request, limits, parts.clock);
    if ("gone" in read) return undefined;
    if ("refusal" in read) return refuse(request, response, read.refusal);
    return route(createExchange(parts, request, response, read.body));
  }

  return {
    server,
    async idle() {
      while (open.size > 0) await Promise.all(open);
    },
  };
}

function route(exchange: Exchange): Promise<void> {
  const { method, path } = exchange;
  if (method !== "POST") return passThrough(exchange);
  if (path === "/v1/messages") return manageRequest(exchange, anthropicProtocol);
  if (path === "/v1/messages/count_tokens") return countTokens(exchange, anthropicProtocol);
  if (path === "/v1/chat/completions") return manageRequest(exchange, openaiProtocol);
  return passThrough(exchange);
}

function sendStatus(response: ServerResponse, status: GatewayStatus): void {
  response.writeHead(200, { "content-type": "application/json", "cache-control": "no-store" });
  response.end(`${JSON.stringify(status, null, 2)}\n`);
}

function whatOf({ method = "", url = "" }: IncomingMessage): {
  readonly method: string;
  readonly path: string;
} {
  return { method, path: pathOf(url) };
}

function toMalformed({ code }: NodeJS.ErrnoException): readonly [RefusalCode, string] {
  if (code === "HPE_HEADER_OVERFLOW") return ["headers-too-large", "431 Request Header Fields Too Large"];
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return ["body-too-slow", "408 Request Timeout"];
  return ["request-malformed", "400 Bad Request"];
}
