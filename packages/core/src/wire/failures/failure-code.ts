import type { ErrorCode } from "../../spec/index.ts";
import type { ReadFailure } from "./read-failure.ts";

/** What an error answer means by the provider's word for it; that word counts before the status. */
const codesOfTypes: Readonly<Record<string, ErrorCode>> = {
  overloaded_error: "overloaded",
  rate_limit_error: "rate-limited",
  rate_limit_exceeded: "rate-limited",
  insufficient_quota: "rate-limited",
  authentication_error: "unauthenticated",
  permission_error: "unauthenticated",
  invalid_api_key: "unauthenticated",
  timeout_error: "timeout",
  api_error: "server-error",
  server_error: "server-error",
  invalid_request_error: "request-invalid",
  not_found_error: "request-invalid",
  billing_error: "request-invalid",
};

const codesOfStatuses: Readonly<Record<number, ErrorCode>> = {
  401: "unauthenticated",
  403: "unauthenticated",
  408: "timeout",
  429: "rate-limited",
  503: "overloaded",
  529: "overloaded",
};

/** An error that the server said: with a status, or inside a stream without one. Overflows are told apart before. */
export function codeOfAnswer({ status, type = "", code = "" }: ReadFailure): ErrorCode {
  const known = status === undefined ? undefined : codesOfStatuses[status];
  if (type === "overloaded_error") return "overloaded";
  if (known !== undefined) return known;
  if (status !== undefined && status >= 400) return status >= 500 ? "server-error" : "request-invalid";
  if (Object.hasOwn(codesOfTypes, code)) return codesOfTypes[code] ?? "server-error";
  return Object.hasOwn(codesOfTypes, type) ? (codesOfTypes[type] ?? "server-error") : "server-error";
}

const silences = new Set(["UND_ERR_HEADERS_TIMEOUT", "UND_ERR_BODY_TIMEOUT"]);
const lateness = new Set(["ETIMEDOUT", "ESOCKETTIMEDOUT", "UND_ERR_CONNECT_TIMEOUT"]);
const connection =
  /^(?:E(?:CONN|PIPE|HOST|NET|NOTFOUND|AI_|ADDR|PROTO)|UND_ERR|ERR_(?:SSL|TLS|STREAM|HTTP2)|CERT_|DEPTH_|SELF_|UNABLE_TO|HPE_)/;

/** Something that went wrong on the way. Undefined where it never got on its way: what was asked cannot be sent. */
export function codeOfThrown({ names, systemCode = "", text }: ReadFailure): ErrorCode | undefined {
  if (silences.has(systemCode)) return "stalled";
  if (lateness.has(systemCode)) return "timeout";
  if (connection.test(systemCode)) return "disconnected";
  if (names.some((name) => name === "AbortError" || name === "APIUserAbortError")) return "aborted";
  if (names.some((name) => name === "TimeoutError" || name === "APIConnectionTimeoutError")) return "timeout";
  if (names.includes("APIConnectionError")) return "disconnected";
  if (names.includes("SyntaxError")) return "malformed-response";
  return /^(?:terminated|fetch failed|network error|premature close|socket hang up)/i.test(text)
    ? "disconnected"
    : undefined;
}

/** Certificates do not mend themselves. */
export function isCertificate({ systemCode = "" }: ReadFailure): boolean {
  return /^(?:CERT_|DEPTH_|SELF_|UNABLE_TO|ERR_TLS|ERR_SSL)/.test(systemCode);
}
