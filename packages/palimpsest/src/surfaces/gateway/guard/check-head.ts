import type { IncomingHttpHeaders } from "node:http";
import { checkLocalRequest } from "@palimpsest/core/internal";
import { bearerOf, isSameSecret } from "../../local/bearer.ts";
import type { Refusal } from "./gateway-limits.ts";

/** The head of a request as it came in. */
interface RequestHead {
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
  if (length !== undefined && coding !== undefined)
    return refuseAmbiguous("the length of the body is said twice");
  if (length !== undefined && !/^\d{1,15}$/.test(length))
    return refuseAmbiguous("the length of the body is not a number");
  if (coding !== undefined && coding.toLowerCase() !== "chunked")
    return refuseAmbiguous("the coding is not “chunked”");
  if (method === "CONNECT" || method === "TRACE") {
    return refusal("method-refused", 405, `${method} is not relayed.`);
  }
  return checkTarget(target);
}

function headerOf(rawHeaders: readonly string[], name: string): string | undefined {
  const at = rawHeaders.findIndex((one, position) => position % 2 === 0 && one.toLowerCase() === name);
  return at === -1 ? undefined : rawHeaders[at + 1];
}

function refuseAmbiguous(what: string): Refusal {
  return refusal("headers-ambiguous", 400, `The request can be read in two ways: ${what}.`);
}

export function refusal(code: Refusal["code"], status: number, message: string): Refusal {
  return { code, status, message };
}

/** Whatever stands for a slash or a dot once more, were it decoded a second time. */
const encodedTwice = /%25[0-9a-f]{2}/i;
/** A server may cut off what stands behind `;`. */
const upward = /(?:^|\/)\.{1,2}(?:[/;]|$)/;

/** A target must be one path that every server reads in the same way: the upstream is fixed, and what follows it too. */
function checkTarget(target: string): Refusal | null {
  if (!/^\/(?!\/)[\x21-\x7e]*$/.test(target)) return refuse("It must begin with one slash and be ASCII.");
  if (target.includes("#")) return refuse("There is a fragment in it.");
  const path = target.split("?", 1)[0] ?? "";
  if (encodedTwice.test(path)) return refuse("Something in it is encoded twice.");
  const decoded = decode(path);
  if (decoded === null) return refuse("It contains an invalid percent escape.");
  if (decoded.includes("\\")) return refuse("There is a backslash in it.");
  if (/\p{Cc}/u.test(decoded)) return refuse("There is a control character in it.");
  return upward.test(decoded) ? refuse("It leads upward.") : null;
}

function decode(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

function refuse(why: string): Refusal {
  const message = `The path cannot be relayed: ${why} Upstreams are fixed; ask for a plain path such as /v1/messages.`;
  return { code: "target-refused", status: 400, message };
}

/** A header for clients whose `authorization` is for the provider. */
export const tokenHeader = "x-palimpsest-token";

/** Whether a client has the token that the gateway asks for, where it asks for one. */
export function checkToken(headers: IncomingHttpHeaders, token: string | undefined): Refusal | null {
  if (token === undefined) return null;
  const own = headers[tokenHeader];
  const given = [
    typeof own === "string" ? own : undefined,
    bearerOf(headers["proxy-authorization"]),
    bearerOf(headers.authorization),
  ];
  if (given.some((one) => one !== undefined && isSameSecret(one, token))) return null;
  const message = `This gateway asks for its token, as the header “${tokenHeader}” or as a bearer.`;
  return refusal("token-refused", 401, message);
}

/** Whether an `authorization` is for the gateway: then it is not for the provider. */
export function isOwnBearer(authorization: string | undefined, token: string | undefined): boolean {
  const given = bearerOf(authorization);
  return given !== undefined && token !== undefined && isSameSecret(given, token);
}
