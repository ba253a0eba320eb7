import { checkLocalRequest } from "@palimpsest/core/internal";
import { checkTarget } from "./check-target.ts";
import type { Refusal } from "./refusal.ts";

/** The head of a request as it came in. */
export interface RequestHead {
  readonly method: string;
  readonly target: string;
  /** Names and values in turn, as Node has them. */
  readonly rawHeaders: readonly string[];
}

/** What nobody who means well sends: pages in a browser, and heads that two servers could read in two ways. */
export function checkHead({ method, target, rawHeaders }: RequestHead, port: number): Refusal | null {
  const foreign = checkLocalRequest(rawHeaders, port);
  if (foreign) return refusal(foreign.code, foreign.status, foreign.reason);
  const length = headerOf(rawHeaders, "content-length");
  const coding = headerOf(rawHeaders, "transfer-encoding");
  if (length !== undefined && coding !== undefined) return ambiguous("the length of the body is said twice");
  if (length !== undefined && !/^\d{1,15}$/.test(length))
    return ambiguous("the length of the body is no number");
  if (coding !== undefined && coding.toLowerCase() !== "chunked")
    return ambiguous("the coding is not “chunked”");
  if (method === "CONNECT" || method === "TRACE") {
    return refusal("method-refused", 405, `${method} is not relayed.`);
  }
  return checkTarget(target);
}

function headerOf(rawHeaders: readonly string[], name: string): string | undefined {
  const at = rawHeaders.findIndex((one, place) => place % 2 === 0 && one.toLowerCase() === name);
  return at === -1 ? undefined : rawHeaders[at + 1];
}

function ambiguous(what: string): Refusal {
  return refusal("headers-ambiguous", 400, `The request can be read in two ways: ${what}.`);
}

export function refusal(code: Refusal["code"], status: number, message: string): Refusal {
  return { code, status, message };
}
