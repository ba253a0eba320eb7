import { isOverflow } from "../../catalog/index.ts";
import { type ErrorCode, PalimpsestError } from "../../spec/index.ts";
import { maskSecrets } from "../mask-secrets.ts";
import { codeOfAnswer, codeOfThrown, isCertificate } from "./failure-code.ts";
import { fixOf, messageOf } from "./failure-words.ts";
import { type ReadFailure, readFailure } from "./read-failure.ts";
import { retryAfterMs } from "./retry-after.ts";

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
