import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import {
  type EventStore,
  StreamableHTTPServerTransport,
} from "@modelcontextprotocol/sdk/server/streamableHttp.js";
import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { onTestFinished } from "vitest";
import { createFixtureServer } from "./children/fixture-tools.mjs";

export interface HttpFixture {
  readonly url: string;
  /** The Authorization header of each request so far. */
  readonly authorizations: (string | undefined)[];
  /** How often a client has begun a session. */
  sessions(): number;
  /** Forgets all sessions, as a server does that was started anew. */
  expire(): void;
  /** Cuts every connection, in the middle of whatever runs on it. */
  cut(): void;
  /** From here on every request is answered like this. */
  answerWith(answer: (request: IncomingMessage, response: ServerResponse) => void): void;
  close(): Promise<void>;
}

export interface HttpFixtureOptions {
  readonly isJson?: boolean;
  /** Keeps what it has sent, so that a stream which was cut can be gone on with. */
  readonly isResumable?: boolean;
}

/** An MCP server behind a port of its own; gone when the test is over. */
export async function useHttpServer(options: HttpFixtureOptions = {}): Promise<HttpFixture> {
  const transports = new Map<string, StreamableHTTPServerTransport>();
  const authorizations: (string | undefined)[] = [];
  let sessions = 0;
  let other: ((request: IncomingMessage, response: ServerResponse) => void) | undefined;

  async function begin(): Promise<StreamableHTTPServerTransport> {
    const transport = new StreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      enableJsonResponse: options.isJson ?? false,
      ...(options.isResumable && { eventStore: createEventStore() }),
      onsessioninitialized: (id) => {
        sessions += 1;
        transports.set(id, transport);
      },
    });
    await createFixtureServer().connect(transport);
    return transport;
  }

  const server = createServer(async (request, response) => {
    authorizations.push(request.headers.authorization);
    if (other !== undefined) return other(request, response);
    const id = request.headers["mcp-session-id"];
    const known = typeof id === "string" ? transports.get(id) : await begin();
    if (known === undefined) return response.writeHead(404).end("Session not found");
    return known.handleRequest(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));

  async function close(): Promise<void> {
    await Promise.all([...transports.values()].map((transport) => transport.close()));
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
  onTestFinished(close);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`,
    authorizations,
    sessions: () => sessions,
    expire: () => transports.clear(),
    cut: () => server.closeAllConnections(),
    answerWith: (answer) => {
      other = answer;
    },
    close,
  };
}

function createEventStore(): EventStore {
  const events: { readonly id: string; readonly stream: string; readonly message: JSONRPCMessage }[] = [];
  return {
    async storeEvent(stream, message) {
      const id = String(events.length);
      events.push({ id, stream, message });
      return id;
    },
    async replayEventsAfter(lastId, { send }) {
      const { stream } = events[Number(lastId)]!;
      const missed = events.slice(Number(lastId) + 1).filter((event) => event.stream === stream);
      for (const { id, message } of missed) await send(id, message);
      return stream;
    },
  };
}
