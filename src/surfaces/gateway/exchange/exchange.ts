import type { IncomingMessage, ServerResponse } from "node:http";
import { askUpstream } from "../relay/ask-upstream.ts";
import { forwardHeaders, type HeaderChanges } from "../relay/forward-headers.ts";
import { chooseUpstream } from "../relay/upstreams.ts";
import type { GatewayParts } from "./gateway-parts.ts";

/** One request of a client on its way to the provider and back. */
export interface Exchange {
  readonly parts: GatewayParts;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly path: string;
  /** Aborts when the client has gone. */
  readonly signal: AbortSignal;
}

export function createExchange(
  parts: GatewayParts,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
): Exchange {
  const gone = new AbortController();
  response.once("close", () => {
    if (!response.writableFinished) gone.abort();
  });
  const { method = "GET", url: target = "/" } = request;
  return { parts, request, response, body, method, target, path: pathOf(target), signal: gone.signal };
}

/** Without the query, in which keys may stand. */
export function pathOf(target: string): string {
  return target.split("?", 1)[0] ?? "";
}

/** Sends a body to the provider that the path belongs to, with the client's own headers. */
export function send(
  { parts, request, method, target, path, signal }: Exchange,
  body: Buffer,
  changes: Omit<HeaderChanges, "token"> = {},
): Promise<IncomingMessage> {
  const { upstreams, agents, limits, token } = parts;
  return askUpstream({
    upstream: upstreams[chooseUpstream(path, request.headers)],
    agents,
    method,
    target,
    headers: forwardHeaders(request.rawHeaders, { ...changes, ...(token !== undefined && { token }) }),
    body,
    signal,
    idleMs: limits.upstreamIdleMs,
  });
}
