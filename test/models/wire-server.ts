import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

/** One request as the server got it; the test answers it byte by byte. */
export interface WireExchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/** A server for one test that answers with exactly what the test writes: what the emulator would never say. */
export async function serve(answer: (exchange: WireExchange) => void): Promise<string> {
  const server = createServer((request, response) => {
    request.resume();
    request.on("end", () => answer({ request, response }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export const streamHeaders = { "content-type": "text/event-stream", "request-id": "req_wire" };

export type SentEvent = Readonly<Record<string, unknown>> & { readonly type: string };

/** Server-sent events, named by their types. */
export function toWire(events: readonly SentEvent[]): string {
  return events.map((event) => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join("");
}

export const usage = {
  input_tokens: 10,
  cache_creation_input_tokens: 7,
  cache_read_input_tokens: 5,
  cache_creation: { ephemeral_5m_input_tokens: 3, ephemeral_1h_input_tokens: 4 },
  output_tokens: 1,
};

export const messageStart: SentEvent & { readonly message: object } = {
  type: "message_start",
  message: { id: "msg_1", model: "claude-x", role: "assistant", content: [], usage },
};

export const textBlock = (index: number, text: string): readonly SentEvent[] => [
  { type: "content_block_start", index, content_block: { type: "text", text: "" } },
  { type: "content_block_delta", index, delta: { type: "text_delta", text } },
  { type: "content_block_stop", index },
];

export const messageEnd = (
  delta: object = { stop_reason: "end_turn" },
  more: object = {},
): readonly SentEvent[] => [
  { type: "message_delta", delta, usage: { output_tokens: 9 }, ...more },
  { type: "message_stop" },
];
