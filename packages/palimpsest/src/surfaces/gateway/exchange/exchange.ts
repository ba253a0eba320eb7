import type { IncomingMessage, ServerResponse } from "node:http";
import type { Catalog } from "@palimpsest/core/internal";
import type { Clock } from "@palimpsest/core/spec";
import type { GatewayEvent } from "../gateway.ts";
import type { GatewayLimits } from "../guard/gateway-limits.ts";
import { type Agents, askUpstream } from "../relay/ask-upstream.ts";
import { pathOf, type Route } from "../relay/choose-upstream.ts";
import { forwardHeaders, type HeaderChanges } from "../relay/forward-headers.ts";
import type { Upstreams } from "../relay/upstreams.ts";
import type { Conversations } from "../session/conversations.ts";
import type { LearnedWindows } from "./learned-windows.ts";

/** One request of a client on its way to the provider and back. */
export interface Exchange {
  readonly parts: GatewayParts;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  /** Where it goes. */
  readonly route: Route;
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
  { route, body }: Pick<Exchange, "route" | "body">,
): Exchange {
  const gone = new AbortController();
  const { socket } = request;
  const onClose = () => {
    // A response that others of its connection stand in front of is not closed with it.
    socket.off("close", onClose);
    if (!response.writableFinished) gone.abort();
  };
  socket.once("close", onClose);
  response.once("close", onClose);
  const { method = "GET", url: target = "/" } = request;
  const path = pathOf(target);
  return { parts, request, response, body, route, method, target, path, signal: gone.signal };
}

/** Sends a body to the provider that the request belongs to, with the client's own headers. */
export function send(
  { parts, request, route, method, target, signal }: Exchange,
  body: Buffer,
  changes: Omit<HeaderChanges, "token"> = {},
): Promise<IncomingMessage> {
  const { agents, limits, token } = parts;
  return askUpstream({
    upstream: route.upstream,
    agents,
    method,
    target,
    headers: forwardHeaders(request.rawHeaders, { ...changes, ...(token !== undefined && { token }) }),
    body,
    signal,
    idleMs: limits.upstreamIdleMs,
  });
}

/** The common parts of all requests. */
export interface GatewayParts {
  readonly upstreams: Upstreams;
  readonly agents: Agents;
  readonly limits: GatewayLimits;
  readonly clock: Clock;
  readonly token?: string;
  readonly isObserving: boolean;
  /** Requests are read again while nobody asks, so that the cache stays warm. */
  readonly keepsWarm: boolean;
  readonly compactBy: "scribe" | "model";
  readonly catalog: Catalog;
  readonly windows: LearnedWindows;
  readonly conversations: Conversations;
  emit(event: GatewayEvent): void;
}
