import type { ServerResponse } from "node:http";
import { isOwnBearer, tokenHeader } from "../guard/check-head.ts";
import type { Refusal } from "../guard/gateway-limits.ts";

/** Names the session that a request belongs to, and says in an answer which it was. */
export const sessionHeader = "x-palimpsest-session";

/** Headers that are about one connection, and end with it. */
const hopByHop: ReadonlySet<string> = new Set([
  "connection",
  "keep-alive",
  "proxy-authenticate",
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
]);

const ours: ReadonlySet<string> = new Set(["host", "content-length", "expect", sessionHeader, tokenHeader]);

export interface HeaderChanges {
  /** The gateway's own token: it is not for the provider. */
  readonly token?: string;
  /** The answer is read on its way, so it must not come compressed. */
  readonly isRead?: boolean;
  /** It goes out a second time, for an answer of its own. */
  readonly isRepeated?: boolean;
  /** Names for the beta header, besides the client's own. */
  readonly betas?: readonly string[];
}

/** A client's headers as they go to the provider, in their order and spelling. */
export function forwardHeaders(
  rawHeaders: readonly string[],
  changes: HeaderChanges = {},
): readonly string[] {
  const { token, isRead = false, isRepeated = false, betas = [] } = changes;
  const listed = namedInConnection(rawHeaders);
  const made: string[] = [];
  for (const [name, value] of pairsOf(rawHeaders)) {
    const lower = name.toLowerCase();
    if (hopByHop.has(lower) || ours.has(lower) || listed.has(lower)) continue;
    if (lower === "authorization" && isOwnBearer(value, token)) continue;
    if (lower === "accept-encoding" && isRead) continue;
    if (lower === "idempotency-key" && isRepeated) continue;
    if (lower === "anthropic-beta" && betas.length > 0) continue;
    made.push(name, value);
  }
  if (isRead) made.push("accept-encoding", "identity");
  if (betas.length > 0) made.push("anthropic-beta", mergedBetas(rawHeaders, betas));
  return made;
}

/** A provider's headers as they go to the client. */
export function answerHeaders(rawHeaders: readonly string[]): string[] {
  const listed = namedInConnection(rawHeaders);
  return pairsOf(rawHeaders).flatMap(([name, value]) => {
    const lower = name.toLowerCase();
    return hopByHop.has(lower) || listed.has(lower) ? [] : [name, value];
  });
}

function pairsOf(rawHeaders: readonly string[]): readonly (readonly [string, string])[] {
  return Array.from({ length: rawHeaders.length >> 1 }, (_, at) => [
    rawHeaders[at * 2] ?? "",
    rawHeaders[at * 2 + 1] ?? "",
  ]);
}

function namedInConnection(rawHeaders: readonly string[]): ReadonlySet<string> {
  const values = pairsOf(rawHeaders).filter(([name]) => name.toLowerCase() === "connection");
  return new Set(values.flatMap(([, value]) => value.split(",").map((name) => name.trim().toLowerCase())));
}

function mergedBetas(rawHeaders: readonly string[], betas: readonly string[]): string {
  const given = pairsOf(rawHeaders).filter(([name]) => name.toLowerCase() === "anthropic-beta");
  const names = given.flatMap(([, value]) => value.split(",").map((name) => name.trim()));
  return [...new Set([...names.filter((name) => name !== ""), ...betas])].join(",");
}

const types: Readonly<Record<number, string>> = {
  404: "not_found_error",
  413: "request_too_large",
  503: "overloaded_error",
};

/** An error in a form that clients of both APIs can read, or those of Google. */
export function sendError(
  response: ServerResponse,
  status: number,
  code: string,
  message: string,
  form?: Refusal["form"],
): void {
  if (response.headersSent || response.destroyed) {
    response.destroy();
    return;
  }
  const document =
    form === "google"
      ? { error: { code: status, message, status: "NOT_FOUND", details: [{ reason: code }] } }
      : { type: "error", error: { type: types[status] ?? "invalid_request_error", code, message } };
  const body = Buffer.from(JSON.stringify(document));
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": String(body.length),
    connection: "close",
  });
  response.end(body);
}
