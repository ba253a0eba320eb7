import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { StreamableHTTPServerTransport } from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import { checkLocalRequest } from "@palimpsest/core/internal";
import { fail, ok, type Result } from "@palimpsest/core/spec";
import { bearerOf, isSameSecret } from "../local/bearer.ts";
import { createMcpServer } from "./create-mcp-server.ts";
import type { PublishedSources, ServerSdk } from "./published-tool.ts";

export interface ServeHttpOptions {
  /** 0: any that is free. */
  readonly port: number;
  /** The bearer token of clients; made by chance when absent. */
  readonly token?: string;
  /** Hears of each request that was refused. */
  readonly onRefusal?: (reason: string) => void;
}

export interface HttpMcpServer {
  readonly url: string;
  readonly token: string;
  close(): Promise<void>;
}

const path = "/mcp";
/** More than any call needs: a memory is 100,000 characters at most. */
const maxBodyBytes = 4 * 1024 * 1024;
const maxHeaderBytes = 16 * 1024;
const maxClients = 32;
const slowMs = 30_000;

/** Serves streamable HTTP on 127.0.0.1, to whoever has the token. Every client has a session of its own. */
export async function serveHttp(
  sdk: ServerSdk,
  sources: PublishedSources,
  { port: wanted, token = randomBytes(24).toString("base64url"), onRefusal = () => {} }: ServeHttpOptions,
): Promise<Result<HttpMcpServer>> {
  const clients = new Map<string, StreamableHTTPServerTransport>();
  const server = createServer({
    maxHeaderSize: maxHeaderBytes,
    requestTimeout: slowMs,
    headersTimeout: slowMs,
  });

  function refuse(response: ServerResponse, status: number, reason: string): void {
    onRefusal(reason);
    const body = JSON.stringify({ jsonrpc: "2.0", id: null, error: { code: -32_600, message: reason } });
    response.writeHead(status, { "content-type": "application/json", connection: "close" }).end(body);
  }

  async function connect(): Promise<StreamableHTTPServerTransport> {
    const transport: StreamableHTTPServerTransport = new sdk.StreamableHTTPServerTransport({
      sessionIdGenerator: () => randomBytes(18).toString("base64url"),
      onsessioninitialized: () => touch(transport),
    });
    transport.onclose = () => void clients.delete(transport.sessionId ?? "");
    await createMcpServer(sdk, sources).connect(transport);
    return transport;
  }

  /** Clients that went away without a word make room for those that are there. */
  function touch(transport: StreamableHTTPServerTransport): void {
    const id = transport.sessionId ?? "";
    clients.delete(id);
    clients.set(id, transport);
    const [oldest] = clients.values();
    if (clients.size > maxClients) void oldest?.close();
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { url: target = "", rawHeaders, headers } = request;
    const refusal = checkLocalRequest(rawHeaders, port());
    if (refusal) return refuse(response, refusal.status, refusal.reason);
    if (!target.startsWith("/")) return refuse(response, 400, "The address must be a path.");
    if (target.split("?")[0] !== path) return refuse(response, 404, `There is only ${path}.`);
    if (!isSameSecret(bearerOf(headers.authorization) ?? "", token)) {
      return refuse(response, 401, "The bearer token is missing or wrong.");
    }
    const id = headers["mcp-session-id"];
    const known = typeof id === "string" ? clients.get(id) : undefined;
    if (id !== undefined && !known) return refuse(response, 404, "This session is over; begin a new one.");
    const body = request.method === "POST" ? await readBody(request) : ok(undefined);
    if (!body.ok) return refuse(response, body.error.code === "too-large" ? 413 : 400, body.error.message);
    const transport = known ?? (await connect());
    if (known) touch(known);
    await transport.handleRequest(request, response, body.value);
  }

  const port = () => (server.address() as AddressInfo).port;
  server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    answer(request, response).catch(() => {
      if (!response.headersSent) refuse(response, 500, "The request could not be answered.");
      else response.destroy();
    });
  });
  const listening = await listen(server, wanted);
  if (!listening.ok) return listening;
  return ok({
    url: `http://127.0.0.1:${port()}${path}`,
    token,
    async close() {
      for (const transport of clients.values()) await transport.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
}

function listen(server: ReturnType<typeof createServer>, port: number): Promise<Result<void>> {
  return new Promise((resolve) => {
    server.once("error", (cause: NodeJS.ErrnoException) => {
      const what = cause.code === "EADDRINUSE" ? "is in use" : `cannot be listened on: ${cause.message}`;
      resolve(fail("io", `Port ${port} ${what}.`, { fix: "Name another port, or 0 for a free one.", cause }));
    });
    server.listen(port, "127.0.0.1", () => resolve(ok()));
  });
}

async function readBody(request: IncomingMessage): Promise<Result<unknown>> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBodyBytes) return fail("too-large", `The body is over ${maxBodyBytes} bytes.`);
    chunks.push(chunk);
  }
  try {
    return ok(JSON.parse(Buffer.concat(chunks).toString("utf8")));
  } catch (cause) {
    return fail("invalid-input", "The body is not JSON.", { cause });
  }
}
