import type { Refusal } from "./refusal.ts";

/** The head of a request as it came in. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  /** Names and values in turn, as Node has them. */
  readonly rawHeaders: readonly string[];
}

/** Headers of which a second one would leave open which of the two holds. */
const single: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "transfer-encoding",
  "content-type",
  "content-encoding",
  "authorization",
  "proxy-authorization",
  "x-api-key",
  "origin",
]);

const upward = /(?:^|\/)(?:\.|%2e){1,2}(?:\/|%2f|\\|%5c|$)/i;

/**
 * What nobody who means well sends. Pages in a browser reach this machine under a name that leads here, so the name a
 * client used is looked at; heads that two servers could read in two ways are refused.
 */
export function checkHead({ method, target, rawHeaders }: RequestHead, port: number): Refusal | null {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? "").toLowerCase();
    if (headers.has(name) && single.has(name)) return ambiguous(`there are two headers “${name}”`);
    headers.set(name, rawHeaders[at + 1] ?? "");
  }
  const length = headers.get("content-length");
  const coding = headers.get("transfer-encoding");
  if (length !== undefined && coding !== undefined) return ambiguous("the length of the body is said twice");
  if (length !== undefined && !/^\d{1,15}$/.test(length))
    return ambiguous("the length of the body is no number");
  if (coding !== undefined && coding.toLowerCase() !== "chunked")
    return ambiguous("the coding is not “chunked”");
  if (!isOwnHost(headers.get("host"), port)) {
    return refusal("host-refused", 403, "This server answers only under the name of this machine itself.");
  }
  const origin = headers.get("origin");
  if (origin !== undefined && !isOwnOrigin(origin, port)) {
    return refusal("origin-refused", 403, "Pages of other servers may not use this one.");
  }
  if (method === "CONNECT" || method === "TRACE") {
    return refusal("method-refused", 405, `${method} is not relayed.`);
  }
  const path = target.split("?", 1)[0] ?? "";
  if (!target.startsWith("/") || target.startsWith("//") || upward.test(path)) {
    return refusal("target-refused", 400, "A path is asked for, not an address: upstreams are fixed.");
  }
  return null;
}

function ambiguous(what: string): Refusal {
  return refusal("headers-ambiguous", 400, `The request can be read in two ways: ${what}.`);
}

function isOwnHost(host: string | undefined, port: number): boolean {
  const names = ["127.0.0.1", "localhost", "[::1]"];
  return host !== undefined && names.some((name) => host.toLowerCase() === `${name}:${port}`);
}

function isOwnOrigin(origin: string, port: number): boolean {
  return isOwnHost(/^http:\/\/(.+)$/i.exec(origin)?.[1], port);
}

export function refusal(code: Refusal["code"], status: number, message: string): Refusal {
  return { code, status, message };
}
