import { isOverflow } from "../../catalog/index.ts";
import { type ErrorCode, PalimpsestError } from "../../spec/index.ts";
import { maskSecrets } from "../mask-secrets.ts";
import { type HeaderReader, type ReadFailure, readFailure } from "./read-failure.ts";

export interface FailureContext {
  /** As a person calls it: `Anthropic`. */
  readonly provider: string;
  readonly model: string;
  readonly signal?: AbortSignal;
  /** Masked wherever they turn up; what looks like a key is masked anyway. */
  readonly secrets?: readonly string[];
  /** For a `retry-after` that is a date, where the server does not say its own. */
  readonly nowMs?: number;
}

const retryable: ReadonlySet<ErrorCode> = new Set([
  "disconnected",
  "malformed-response",
  "overloaded",
  "rate-limited",
  "server-error",
  "stalled",
  "timeout",
]);

/** Codes for which waiting changes nothing: money is missing. */
const quotaCodes: ReadonlySet<string> = new Set(["insufficient_quota", "billing_hard_limit_reached"]);

/**
 * Anything that was thrown on the way to an answer, as one error with a closed code. The facts are `status`, `requestId`,
 * `type`, `retryAfterMs`, `tokens` and `maximum` of a prompt that is too long, and `isAboutImage`, as far as they are known. The thrown
 * thing itself is not kept as the cause: it may hold keys.
 */
export function classifyFailure(cause: unknown, context: FailureContext): PalimpsestError {
  if (context.signal?.aborted) return new PalimpsestError("aborted", messageOf("aborted", context, ""));
  if (PalimpsestError.isInstance(cause)) return cause;
  const failure = readFailure(cause);
  const { status, type, systemCode } = failure;
  const isAnswer = status !== undefined || (type !== undefined && systemCode === undefined);
  const overflow = isAnswer || failure.isSaid ? overflowOf(failure) : undefined;
  const code = overflow ? "prompt-too-long" : isAnswer ? codeOfAnswer(failure) : codeOfThrown(failure);
  const settled = code ?? "request-invalid";
  const text = maskSecrets(failure.text, context.secrets);
  return new PalimpsestError(settled, messageOf(settled, context, text, failure), {
    fix: fixOf(settled, failure),
    retryable: isRetryable(settled, failure),
    facts: {
      ...factsOf(failure, context),
      ...overflow,
      ...(settled === "request-invalid" && isAboutImage(failure.text) && { isAboutImage: true }),
    },
  });
}

/** One image is too large or cannot be read: without it the request may be good. */
function isAboutImage(text: string): boolean {
  return (
    /\bimage/i.test(text) &&
    /exceed|too (?:large|big|many)|dimension|maximum|could not process|invalid image/i.test(text)
  );
}

function overflowOf({ status, type, code, text }: ReadFailure) {
  const said = isOverflow({
    message: text,
    code: code ?? type ?? null,
    ...(status !== undefined && { status }),
  });
  if (!said.overflow) return undefined;
  const { actualTokens, limitTokens, excessTokens } = said;
  return {
    ...(actualTokens !== undefined && { tokens: actualTokens }),
    ...(limitTokens !== undefined && { maximum: limitTokens }),
    ...(excessTokens !== undefined && { excessTokens }),
  };
}

function isRetryable(code: ErrorCode, failure: ReadFailure): boolean {
  if (!retryable.has(code) || isCertificate(failure)) return false;
  if (quotaCodes.has(failure.code ?? "") || quotaCodes.has(failure.type ?? "")) return false;
  return failure.header("x-should-retry") !== "false";
}

function factsOf(failure: ReadFailure, { nowMs, secrets }: FailureContext) {
  const { status, type, requestId, systemCode, header } = failure;
  const waitMs = retryAfterMs(header, nowMs);
  return {
    ...(status !== undefined && { status }),
    ...(type !== undefined && { type: maskSecrets(type, secrets) }),
    ...(requestId !== undefined && { requestId: maskSecrets(requestId, secrets) }),
    ...(systemCode !== undefined && { systemCode }),
    ...(waitMs !== undefined && { retryAfterMs: waitMs }),
  };
}

/**
 * How long a server wants to be left alone, from `retry-after-ms` or `retry-after` in seconds or as a date. A date is
 * taken against the server's own `date`, so that no clock has to agree; without one against `nowMs`.
 */
function retryAfterMs(header: HeaderReader, nowMs?: number): number | undefined {
  const milliseconds = toNumber(header("retry-after-ms"));
  if (milliseconds !== undefined) return Math.max(0, milliseconds);
  const text = header("retry-after");
  const seconds = toNumber(text);
  if (seconds !== undefined) return Math.max(0, seconds * 1_000);
  const untilMs = toTime(text);
  const fromMs = toTime(header("date")) ?? nowMs;
  return untilMs === undefined || fromMs === undefined ? undefined : Math.max(0, untilMs - fromMs);
}

function toNumber(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*-?\d{1,15}(?:\.\d+)?\s*$/.test(text) ? Number(text) : undefined;
}

function toTime(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  return Number.isNaN(time) ? undefined : time;
}

interface FailedEndpoint {
  readonly provider: string;
  readonly model: string;
}

/** More of a provider's text helps nobody. */
const maxTextChars = 1_000;

/** The failure in plain words, and what the provider said about it. */
function messageOf(
  code: ErrorCode,
  parties: FailedEndpoint,
  text: string,
  failure?: Pick<ReadFailure, "status" | "systemCode">,
): string {
  const detail = failure?.status ?? failure?.systemCode;
  const happened = `${describeFailure(code, parties)}${detail === undefined ? "" : ` (${detail})`}`;
  const said = shorten(text);
  return said === "" ? `${happened}.` : `${happened}: ${said}${/[.!?]$/.test(said) ? "" : "."}`;
}

function describeFailure(code: ErrorCode, { provider, model }: FailedEndpoint): string {
  switch (code) {
    case "aborted":
      return `The request to ${provider} was aborted`;
    case "disconnected":
      return `The connection to ${provider} broke`;
    case "malformed-response":
      return `${provider} sent something that is not an answer`;
    case "overloaded":
      return `${provider} is overloaded`;
    case "prompt-too-long":
      return `The prompt is too long for ${model}`;
    case "rate-limited":
      return `${provider} takes no more requests for ${model} at the moment`;
    case "server-error":
      return `${provider} failed to answer`;
    case "stalled":
      return `${provider} stopped answering`;
    case "timeout":
      return `${provider} did not answer in time`;
    case "unauthenticated":
      return `${provider} does not accept the key for ${model}`;
    default:
      return `The request to ${provider} for ${model} cannot be answered as it is`;
  }
}

/** The fix, where something can be done. */
function fixOf(code: ErrorCode, failure: ReadFailure): string | undefined {
  switch (code) {
    case "disconnected":
      return isCertificate(failure)
        ? "Check the server's certificate, and which ones this machine trusts."
        : "Check the network and the base URL.";
    case "prompt-too-long":
      return "Compact the conversation, or use a model with a larger window.";
    case "rate-limited":
      return "Wait, ask for less at a time, or raise the limit of the account.";
    case "request-invalid":
      return failure.status === 404 ? "Check the model's name and the base URL." : undefined;
    case "unauthenticated":
      return failure.status === 403
        ? "Check what the key's account may use."
        : "Check the key: it may be mistyped, revoked or for another server.";
    default:
      return undefined;
  }
}

/** One line; of a page of HTML only its title. */
function shorten(text: string): string {
  const isPage = /^\s*<(?:!doctype|html|head)\b/i.test(text);
  const title = isPage ? (/<title[^>]*>([^<]*)</i.exec(text)?.[1] ?? "a page of HTML") : text;
  const line = title.replace(/\s+/g, " ").trim();
  return line.length > maxTextChars ? `${line.slice(0, maxTextChars).toWellFormed()}…` : line;
}

/** The code for an error answer by the provider's word for it; that word counts before the status. */
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
function codeOfAnswer({ status, type = "", code = "" }: ReadFailure): ErrorCode {
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
function codeOfThrown({ names, systemCode = "", text }: ReadFailure): ErrorCode | undefined {
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
function isCertificate({ systemCode = "" }: ReadFailure): boolean {
  return /^(?:CERT_|DEPTH_|SELF_|UNABLE_TO|ERR_TLS|ERR_SSL)/.test(systemCode);
}
