import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** A way to a server, before anything was said on it. */
export interface Channel {
  readonly transport: Transport;
  /** Once nothing comes any more, and all of the error output has come. Never rejects. */
  readonly closed: Promise<void>;
  isOpen(): boolean;
  /** When something came last, by the clock's monotonic time. */
  heardMs(): number;
  /** What the server has left behind that may explain a failure: its error output, lines that are no messages. */
  traces(): string;
  /** The id of the request that was sent last. */
  lastRequestId(): unknown;
  /** Calls back once the stream that should bring the answer to a request has ended, where each has its own; gives how to stop listening. */
  onStreamEnd(requestId: unknown, callback: () => void): () => void;
  /** Ends it and takes the program along; safe to call twice, and before it began. Never rejects. */
  close(): Promise<void>;
}
