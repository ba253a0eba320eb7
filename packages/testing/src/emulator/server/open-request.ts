import type { IncomingMessage } from "node:http";
import type { OpenRequest } from "../request-log.ts";
import { maskHeaders } from "./check-headers.ts";
import type { Emulation } from "./emulation.ts";
import type { Route } from "./route-request.ts";

/** The record of a request that has just arrived. */
export function openRequest(
  request: IncomingMessage,
  url: URL,
  { endpoint }: Route,
  emulation: Emulation,
): OpenRequest {
  return {
    number: emulation.count("all"),
    ordinal: emulation.count(endpoint),
    endpoint,
    method: request.method ?? "",
    path: url.pathname,
    query: Object.fromEntries(url.searchParams),
    headers: maskHeaders(request.headers),
    startedAt: emulation.clock.now(),
    bodyBytes: 0,
    isStream: false,
    violations: [],
    outcome: "pending",
    requestId: emulation.ids.next("req"),
    events: 0,
  };
}
