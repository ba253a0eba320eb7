import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createCatalog } from "../../packages/core/src/catalog/index.ts";
import { checkChat } from "../../packages/testing/src/emulator/chat/judge-chat.ts";
import { checkRequest } from "../../packages/testing/src/emulator/request/check-request.ts";
import { type HostileAnswer, toWire } from "./wire-answer.ts";

/** What a provider answers: the bytes, and whether the connection breaks behind them. */
export interface WireResponse {
  readonly status: number;
  readonly type: string;
  readonly text: string;
  readonly isCut?: boolean;
}

/**
 * A provider that refuses what the real one refuses, gives one hostile answer when it is told to, and sensible ones
 * else. It speaks both protocols.
 */
export interface Upstream {
  answer(path: string, body: string, betas: string): WireResponse;
  /** The answer to the next request that is not refused. */
  next: HostileAnswer | null;
  /** What was refused, in the words of the answer. */
  readonly refused: string[];
  requests: number;
}

const capabilities = createCatalog().capabilities("claude-opus-4-5").value;
/** There must be something that a summary can be shorter than. */
const longAnswer = "This is how the steps are done, one after the other. ".repeat(250);
const summary = "<summary>The user asks for one step after the other, and each is done.</summary>";

export function createUpstream(): Upstream {
  const upstream: Upstream = {
    next: null,
    refused: [],
    requests: 0,
    answer(path, text, betas) {
      const isChat = path.includes("/chat/completions");
      if (!isChat && !/\/v1\/messages(?:\?|$)/.test(path)) return json(404, { error: { message: "None." } });
      const body: unknown = JSON.parse(text);
      const refusal = isChat ? refusedChat(body) : refusedRequest(body, betas);
      if (refusal) {
        upstream.refused.push(refusal.words);
        return json(400, refusal.body);
      }
      upstream.requests += 1;
      const { next } = upstream;
      upstream.next = null;
      if (next) return { status: 200, type: "text/event-stream", ...toWire(next) };
      const isSummary = text.slice(-6_000).includes("<summary>");
      const isFirst = !text.includes('"role":"assistant"');
      const said = isSummary ? summary : isFirst ? longAnswer : `Step ${upstream.requests} is done.`;
      const tokens = Math.ceil(text.length / 3);
      return { status: 200, type: "text/event-stream", ...toWire(plainAnswer(isChat, said, tokens)) };
    },
  };
  return upstream;
}

function plainAnswer(isChat: boolean, text: string, tokens: number): HostileAnswer {
  return isChat
    ? { name: "plain", chat: { text, usage: { prompt_tokens: tokens, completion_tokens: text.length >> 2 } } }
    : {
        name: "plain",
        content: [{ type: "text", text }],
        usage: { input_tokens: tokens, output_tokens: text.length >> 2 },
      };
}

interface Refusal {
  readonly words: string;
  readonly body: object;
}

function refusedRequest(body: unknown, betas: string): Refusal | null {
  const given = new Set(betas.split(",").map((beta) => beta.trim()));
  const [first] = checkRequest(body, { betas: given, capabilities });
  if (!first) return null;
  const { message } = first;
  return { words: message, body: { type: "error", error: { type: "invalid_request_error", message } } };
}

function refusedChat(body: unknown): Refusal | null {
  const [first] = checkChat(body, { maxOutput: 200_000 });
  if (!first) return null;
  const { message, path: param, code = null } = first;
  const error = { message, type: "invalid_request_error", param, code };
  return { words: `${param}: ${message}`, body: { error } };
}

const json = (status: number, body: object): WireResponse => ({
  status,
  type: "application/json",
  text: JSON.stringify(body),
});

/** The upstream behind a real socket. */
export async function listen(upstream: Upstream): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    const { url = "", headers } = request;
    const body = Buffer.concat(chunks).toString();
    const { status, type, text, isCut } = upstream.answer(url, body, String(headers["anthropic-beta"] ?? ""));
    response.writeHead(status, { "content-type": type });
    if (isCut) response.write(text, () => response.destroy());
    else response.end(text);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

/** The upstream in place of the network: no socket, the very same SDKs. */
export function fetchFrom(upstream: Upstream): typeof fetch {
  return async (input, init) => {
    const url = String(input instanceof Request ? input.url : input);
    const betas = new Headers(init?.headers).get("anthropic-beta") ?? "";
    const { status, type, text, isCut } = upstream.answer(
      new URL(url).pathname,
      String(init?.body ?? "{}"),
      betas,
    );
    const bytes = new TextEncoder().encode(text);
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (bytes.length > 0) controller.enqueue(bytes);
        if (isCut) controller.error(new TypeError("terminated"));
        else controller.close();
      },
    });
    return new Response(body, { status, headers: { "content-type": type } });
  };
}
