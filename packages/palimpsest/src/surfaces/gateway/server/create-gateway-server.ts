import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { anthropicProtocol } from "../anthropic/anthropic-protocol.ts";
import { countTokens } from "../exchange/count-tokens.ts";
import { createExchange, type Exchange, type GatewayParts } from "../exchange/exchange.ts";
import { manageRequest } from "../exchange/manage-request.ts";
import { passThrough } from "../exchange/relay.ts";
import { createAdmission } from "../guard/admission.ts";
import { checkHead, checkToken } from "../guard/check-head.ts";
import type { Refusal, RefusalCode } from "../guard/gateway-limits.ts";
import { gatewayFull, readBody } from "../guard/read-body.ts";
import { openaiProtocol } from "../openai/openai-protocol.ts";
import { chooseUpstream, pathOf } from "../relay/choose-upstream.ts";
import { sendError } from "../relay/forward-headers.ts";
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
  /** Later requests over a connection that was refused are neither answered nor told of. */
  const refused = new WeakSet<object>();
  const admission = createAdmission<Socket>(limits, (socket) => {
    refused.add(socket);
    emit({ type: "request-refuse", code: "gateway-full", method: "", path: "" });
    socket.destroy();
  });
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
  server.on("connection", (socket) => {
    socket.setNoDelay(true);
    socket.once("close", () => admission.close(socket));
    admission.open(socket);
  });
  server.on("clientError", (cause: NodeJS.ErrnoException, socket: Socket) => {
    if (refused.has(socket)) return void socket.destroy();
    refused.add(socket);
    const [code, line] = toMalformed(cause);
    emit({ type: "request-refuse", code, method: "", path: "" });
    endWith(socket, line);
  });
  server.on("connect", (request: IncomingMessage, socket: Socket) => {
    emit({ type: "request-refuse", code: "method-refused", ...describeRequest(request) });
    endWith(socket, "405 Method Not Allowed");
  });
  // Clients that would rather have a WebSocket take this as the word to go on without one.
  server.on("upgrade", (request: IncomingMessage, socket: Socket) => {
    emit({ type: "request-refuse", code: "upgrade-refused", ...describeRequest(request) });
    endWith(socket, "426 Upgrade Required\r\nupgrade: HTTP/1.1");
  });

  function refuse(
    request: IncomingMessage,
    response: ServerResponse,
    { code, status, message, form }: Refusal,
  ): void {
    refused.add(request.socket);
    emit({ type: "request-refuse", code, ...describeRequest(request) });
    sendError(response, status, code, message, form);
    response.once("finish", () => request.socket.destroySoon());
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url: target = "", rawHeaders, headers } = request;
    const { port } = server.address() as { readonly port: number };
    const wrong = checkHead({ method, target, rawHeaders }, port) ?? checkToken(headers, parts.token);
    if (wrong) return refuse(request, response, wrong);
    if (pathOf(target) === statusPath) return sendStatus(response, status());
    const choice = chooseUpstream({ method, target, headers }, parts.upstreams);
    if ("refusal" in choice) return refuse(request, response, choice.refusal);
    const admitted = admission.begin(request.socket);
    if (!admitted) return refuse(request, response, gatewayFull);
    response.once("close", admitted.end);
    const read = await readBody(request, admitted, limits, parts.clock);
    if ("gone" in read) return undefined;
    if ("refusal" in read) return refuse(request, response, read.refusal);
    admitted.complete();
    return relay(createExchange(parts, request, response, { ...choice, body: read.body }));
  }

  return {
    server,
    async idle() {
      while (open.size > 0) await Promise.all(open);
    },
  };
}

function relay(exchange: Exchange): Promise<void> {
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

function describeRequest({ method = "", url = "" }: IncomingMessage): {
  readonly method: string;
  readonly path: string;
} {
  return { method, path: pathOf(url) };
}

/** Nothing more is read of it, and it is not kept for a client that does not go. */
function endWith(socket: Socket, statusLine: string): void {
  socket.on("error", () => socket.destroy());
  if (socket.writable)
    socket.write(`HTTP/1.1 ${statusLine}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  socket.destroySoon();
}

function toMalformed({ code }: NodeJS.ErrnoException): readonly [RefusalCode, string] {
  if (code === "HPE_HEADER_OVERFLOW") return ["headers-too-large", "431 Request Header Fields Too Large"];
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return ["body-too-slow", "408 Request Timeout"];
  return ["request-malformed", "400 Bad Request"];
}
