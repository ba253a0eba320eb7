import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type ErrorCode, PalimpsestError } from "../../../core/src/spec/index.ts";
import { baseDelayMs, decideRetry, maxAttempts, maxDelayMs, maxRetryAfterMs } from "./retry.ts";

const failure = (code: ErrorCode, facts: Readonly<Record<string, unknown>> = {}, retryable = true) =>
  new PalimpsestError(code, "It failed.", { retryable, facts });
const highest = () => 1 - Number.EPSILON;

describe("decideRetry", () => {
  it("waits for a random part of a time that doubles up to a limit", () => {
    const delays = [1, 2, 3, 4, 5, 6, 7].map((attempt) =>
      decideRetry(failure("overloaded"), attempt, {}, highest),
    );
    expect(delays).toEqual(
      [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 32_000].map((delayMs) => ({ retry: true, delayMs })),
    );
    expect(decideRetry(failure("overloaded"), 3, {}, () => 0)).toEqual({ retry: true, delayMs: 0 });
    expect(decideRetry(failure("overloaded"), 3, {}, () => 0.25)).toEqual({ retry: true, delayMs: 1_000 });
  });

  it("waits at least as long as the server asks, and does not wait for too long", () => {
    const asked = (retryAfterMs: number) =>
      decideRetry(failure("rate-limited", { retryAfterMs }), 1, {}, () => 0.5);
    expect(asked(30_000)).toEqual({ retry: true, delayMs: 30_000 });
    expect(asked(10)).toEqual({ retry: true, delayMs: 500 });
    expect(asked(maxRetryAfterMs)).toEqual({ retry: true, delayMs: maxRetryAfterMs });
    expect(asked(maxRetryAfterMs + 1)).toEqual({ retry: false, why: "wait-too-long" });
  });

  it("stops after as many tries as there may be", () => {
    expect(decideRetry(failure("stalled"), maxAttempts - 1, {}, () => 0)).toMatchObject({ retry: true });
    expect(decideRetry(failure("stalled"), maxAttempts, {}, () => 0)).toEqual({
      retry: false,
      why: "attempts-used-up",
    });
    expect(decideRetry(failure("stalled"), 1, { maxAttempts: 1 }, () => 0)).toMatchObject({ retry: false });
  });

  it.each<ErrorCode>(["aborted", "prompt-too-long", "request-invalid", "unauthenticated", "no-model"])(
    "never tries %s again, whatever else is said of it",
    (code) => {
      expect(decideRetry(failure(code), 1, {}, () => 0)).toEqual({ retry: false, why: "not-retryable" });
    },
  );

  it.each<ErrorCode>([
    "disconnected",
    "malformed-response",
    "overloaded",
    "rate-limited",
    "server-error",
    "stalled",
    "timeout",
  ])("tries %s again unless it is said to be final", (code) => {
    expect(decideRetry(failure(code), 1, {}, () => 0)).toMatchObject({ retry: true });
    expect(decideRetry(failure(code, {}, false), 1, {}, () => 0)).toEqual({
      retry: false,
      why: "not-retryable",
    });
  });

  it("gives a wait within its bounds for any attempt, chance and wish of the server", () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 5_000 }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        fc.option(fc.double({ min: 0, max: 200_000, noNaN: true })),
        (attempt, chance, retryAfterMs) => {
          const facts = retryAfterMs === null ? {} : { retryAfterMs };
          const limits = { maxAttempts: Number.POSITIVE_INFINITY };
          const decision = decideRetry(failure("rate-limited", facts), attempt, limits, () => chance);
          if (!decision.retry) return (retryAfterMs ?? 0) > maxRetryAfterMs;
          const ceiling = Math.min(maxDelayMs, baseDelayMs * 2 ** Math.max(0, attempt - 1));
          expect(decision.delayMs).toBeGreaterThanOrEqual(Math.round(retryAfterMs ?? 0));
          return decision.delayMs <= Math.round(Math.max(ceiling, retryAfterMs ?? 0));
        },
      ),
    );
  });
});
