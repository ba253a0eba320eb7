import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";

export interface RawRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingMessage["headers"];
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
}

/** A provider that keeps every byte it gets, and answers as the test says. Of its models it tells nothing. */
export async function rawUpstream(
  answer: (request: RawRequest, response: ServerResponse) => void | Promise<void> = sayHello,
) {
  const requests: RawRequest[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { method = "", url = "", headers, rawHeaders } = request;
    const raw = { method, url, headers, rawHeaders, body: Buffer.concat(chunks) };
    if (url.startsWith("/v1/models")) {
      response.writeHead(404).end();
      return;
    }
    requests.push(raw);
    await answer(raw, response);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, requests };
}

export const helloMessage = {
  id: "msg_hello",
  type: "message",
  role: "assistant",
  model: "claude-opus-4-5",
  content: [{ type: "text", text: "Hello." }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 2 },
};

export function sayHello(_request: RawRequest, response: ServerResponse): void {
  response.writeHead(200, { "content-type": "application/json" });
  response.end(JSON.stringify(helloMessage));
}

/** The events of a stream that says something, as the API sends them. */
export function streamedHello(text = "Hello."): readonly string[] {
  const event = (type: string, fields: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...fields })}\n\n`;
  const message = { ...helloMessage, content: [], stop_reason: null };
  return [
    event("message_start", { message }),
    event("content_block_start", { index: 0, content_block: { type: "text", text: "" } }),
    event("content_block_delta", { index: 0, delta: { type: "text_delta", text } }),
    event("content_block_stop", { index: 0 }),
    event("message_delta", { delta: { stop_reason: "end_turn" }, usage: { output_tokens: 2 } }),
    event("message_stop", {}),
  ];
}
