import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** A way to a server, before anything was said on it. */
export interface Channel {
  readonly transport: Transport;
  /** Once nothing comes any more, and all of the error output has come. Never rejects. */
  readonly closed: Promise<void>;
  isOpen(): boolean;
  /** When something came last, by the clock's monotonic time. */
  heardMs(): number;
  /** The server's traces that may explain a failure: its error output, lines that are no messages. */
  traces(): string;
  /** The id of the request that was sent last. */
  lastRequestId(): unknown;
  /** Calls back once the stream that should bring the answer to a request has ended, where each has its own; gives how to stop listening. */
  onStreamEnd(requestId: unknown, callback: () => void): () => void;
  /** Ends it and takes the program along; safe to call twice, and before it began. Never rejects. */
  close(): Promise<void>;
}

/**
 * `waiting`: nobody has begun. `connecting`: for the first time or again. `lost`: the next call reaches for it again.
 * `failed`: nothing is tried any more until somebody asks for it.
 */
export type McpServerState = "waiting" | "connecting" | "ready" | "lost" | "failed" | "closed";

/** How one server is, for people. Nothing secret is in it. */
export interface McpServerStatus {
  readonly name: string;
  readonly transport: "stdio" | "http";
  readonly state: McpServerState;
  readonly toolCount: number;
  /** The server's own name and version, once it has said. */
  readonly title?: string;
  /** The last error, and what to do. */
  readonly error?: string;
  readonly fix?: string;
}

/** A server that cannot be used. One is given for each time that a server fails. */
export interface McpWarning {
  readonly server: string;
  readonly message: string;
  readonly fix?: string;
}
