import type { ErrorCode, PalimpsestError } from "@palimpsest/core/spec";

/** Tries of one request, the first among them. */
export const maxAttempts = 8;
/** The upper bound of the first wait; it doubles with every try. */
export const baseDelayMs = 1_000;
/** No wait is chosen above it. */
export const maxDelayMs = 32_000;
/** A server that wants to be left alone for longer gets no second try: somebody should hear of it. */
export const maxRetryAfterMs = 120_000;

const retryCodes: ReadonlySet<ErrorCode> = new Set([
  "disconnected",
  "malformed-response",
  "overloaded",
  "rate-limited",
  "server-error",
  "stalled",
  "timeout",
]);

export interface RetryOptions {
  readonly maxAttempts?: number;
  readonly baseDelayMs?: number;
  readonly maxDelayMs?: number;
  readonly maxRetryAfterMs?: number;
}

export type RetryDecision =
  | { readonly retry: true; readonly delayMs: number }
  | {
      readonly retry: false;
      /** Trying again would change nothing; it was tried often enough; the server asks for too long a wait. */
      readonly why: "not-retryable" | "attempts-used-up" | "wait-too-long";
    };

/**
 * Whether a request that failed is tried again, and after how long: a random part of a time that doubles with every
 * try, and never less than the server asked for. `attempt` counts the tries so far, `random` is in [0, 1).
 */
export function decideRetry(
  error: PalimpsestError,
  attempt: number,
  options: RetryOptions,
  random: () => number,
): RetryDecision {
  if (!error.retryable || !retryCodes.has(error.code)) return { retry: false, why: "not-retryable" };
  if (attempt >= (options.maxAttempts ?? maxAttempts)) return { retry: false, why: "attempts-used-up" };
  const askedMs = typeof error.facts.retryAfterMs === "number" ? error.facts.retryAfterMs : 0;
  if (askedMs > (options.maxRetryAfterMs ?? maxRetryAfterMs)) return { retry: false, why: "wait-too-long" };
  const doubledMs = (options.baseDelayMs ?? baseDelayMs) * 2 ** Math.max(0, attempt - 1);
  const chosenMs = random() * Math.min(doubledMs, options.maxDelayMs ?? maxDelayMs);
  return { retry: true, delayMs: Math.round(Math.max(chosenMs, askedMs)) };
}
