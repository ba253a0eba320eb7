import { classifyFailure } from "@palimpsest/core/internal";
import fc from "fast-check";
import OpenAI from "openai";
import { describe, expect, it } from "vitest";
import { PalimpsestError } from "../../../core/src/spec/index.ts";

const context = { provider: "Acme", model: "m-1" };
const classify = (cause: unknown, more: object = {}) => classifyFailure(cause, { ...context, ...more });

/** An error as the official SDKs throw it. */
const answered = (
  status: number | undefined,
  error: object,
  headers: Readonly<Record<string, string>> = {},
) => Object.assign(new Error(`${status} ${JSON.stringify(error)}`), { status, error, headers });
const said = (status: number, type: string, message: string, headers = {}) =>
  answered(status, { type: "error", error: { type, message }, request_id: "req_1" }, headers);
const system = (code: string, message = code) => Object.assign(new Error(message), { code });

describe("classifyFailure", () => {
  it.each([
    [400, "invalid_request_error", "request-invalid", false],
    [401, "authentication_error", "unauthenticated", false],
    [402, "billing_error", "request-invalid", false],
    [403, "permission_error", "unauthenticated", false],
    [404, "not_found_error", "request-invalid", false],
    [408, "timeout_error", "timeout", true],
    [413, "request_too_large", "prompt-too-long", false],
    [422, "invalid_request_error", "request-invalid", false],
    [429, "rate_limit_error", "rate-limited", true],
    [500, "api_error", "server-error", true],
    [500, "overloaded_error", "overloaded", true],
    [502, "api_error", "server-error", true],
    [503, "api_error", "overloaded", true],
    [504, "timeout_error", "server-error", true],
    [529, "overloaded_error", "overloaded", true],
  ])("knows the status %i with %s", (status, type, code, retryable) => {
    const error = classify(said(status, type, "Something is the matter"));
    expect(error).toMatchObject({ code, retryable, facts: { status, type, requestId: "req_1" } });
    expect(error.message).toContain("Something is the matter.");
    expect(error.cause).toBeUndefined();
  });

  it.each([
    ["overloaded_error", "overloaded"],
    ["rate_limit_error", "rate-limited"],
    ["api_error", "server-error"],
    ["authentication_error", "unauthenticated"],
    ["invalid_request_error", "request-invalid"],
    ["timeout_error", "timeout"],
    ["never_heard_of_error", "server-error"],
  ])("knows %s in the middle of a stream, where there is no status", (type, code) => {
    expect(classify(answered(undefined, { type: "error", error: { type, message: "Oh" } }))).toMatchObject({
      code,
    });
  });

  it("reads the errors of the other official SDK too", () => {
    const body = (fields: object) => ({ error: { message: "No.", ...fields } });
    const make = (status: number, fields: object, headers = {}) =>
      classify(OpenAI.APIError.generate(status, body(fields), undefined, new Headers(headers)));
    expect(make(400, { code: "context_length_exceeded" })).toMatchObject({ code: "prompt-too-long" });
    expect(
      make(429, { code: "rate_limit_exceeded" }, { "retry-after": "2", "x-request-id": "r" }),
    ).toMatchObject({
      code: "rate-limited",
      retryable: true,
      facts: { retryAfterMs: 2_000, requestId: "r" },
    });
    expect(make(429, { type: "insufficient_quota", code: "insufficient_quota" })).toMatchObject({
      code: "rate-limited",
      retryable: false,
    });
    expect(make(401, { code: "invalid_api_key" })).toMatchObject({ code: "unauthenticated" });
    expect(classify(new OpenAI.APIUserAbortError())).toMatchObject({ code: "aborted" });
    expect(classify(new OpenAI.APIConnectionTimeoutError())).toMatchObject({ code: "timeout" });
    expect(classify(new OpenAI.APIConnectionError({ cause: system("ECONNREFUSED") }))).toMatchObject({
      code: "disconnected",
      facts: { systemCode: "ECONNREFUSED" },
    });
  });

  it("knows a prompt that is too long by its wording, with the numbers where it has some", () => {
    expect(
      classify(said(400, "invalid_request_error", "prompt is too long: 250,001 tokens > 200,000 maximum")),
    ).toMatchObject({
      code: "prompt-too-long",
      message: "The prompt is too long for m-1 (400): prompt is too long: 250,001 tokens > 200,000 maximum.",
      facts: { tokens: 250_001, maximum: 200_000 },
    });
    expect(
      classify(said(400, "invalid_request_error", "Input is too long for requested model.")).facts,
    ).toEqual({ status: 400, type: "invalid_request_error", requestId: "req_1" });
    expect(
      classify(answered(undefined, { error: { type: "api_error", message: "prompt is too long" } })).code,
    ).toBe("prompt-too-long");
  });

  it.each([
    [{ message: "overflow", code: "context_length_exceeded" }, "prompt-too-long"],
    [{ message: "This model's maximum context length is 8 tokens." }, "prompt-too-long"],
    [{ message: "overflow", code: "no_such_thing" }, "request-invalid"],
  ])("knows it in the middle of a stream of the other SDK: %o", (error, code) => {
    expect(classify(new OpenAI.APIError(undefined, error, undefined, new Headers())).code).toBe(code);
  });

  it.each([
    ["7", undefined, 7_000],
    ["0.5", undefined, 500],
    ["7", "250", 250],
    ["-3", undefined, 0],
    ["Sun, 15 Nov 2026 12:00:30 GMT", undefined, 30_000],
    ["Sun, 15 Nov 2026 11:00:00 GMT", undefined, 0],
    ["soon", undefined, undefined],
    ["", "never", undefined],
    ["1e9999", undefined, undefined],
  ])("reads retry-after %j and retry-after-ms %j", (seconds, milliseconds, expected) => {
    const headers = {
      Date: "Sun, 15 Nov 2026 12:00:00 GMT",
      "Retry-After": seconds,
      ...(milliseconds && { "retry-after-ms": milliseconds }),
    };
    for (const given of [headers, new Headers(headers)]) {
      expect(classify(said(429, "rate_limit_error", "Slow", given)).facts.retryAfterMs).toBe(expected);
    }
  });

  it("takes a date to wait for against the time given where the server does not say its own", () => {
    const error = said(429, "rate_limit_error", "Slow", { "retry-after": "Sun, 15 Nov 2026 12:00:30 GMT" });
    expect(classify(error, { nowMs: Date.UTC(2026, 10, 15, 12) }).facts.retryAfterMs).toBe(30_000);
    expect(classify(error).facts.retryAfterMs).toBeUndefined();
  });

  it("believes a server that says that trying again is of no use", () => {
    const error = said(500, "api_error", "Broken for good", { "x-should-retry": "false" });
    expect(classify(error)).toMatchObject({ code: "server-error", retryable: false });
  });

  it.each([
    ["ECONNRESET", "disconnected", true],
    ["ECONNREFUSED", "disconnected", true],
    ["ENOTFOUND", "disconnected", true],
    ["EPIPE", "disconnected", true],
    ["UND_ERR_SOCKET", "disconnected", true],
    ["CERT_HAS_EXPIRED", "disconnected", false],
    ["ETIMEDOUT", "timeout", true],
    ["UND_ERR_CONNECT_TIMEOUT", "timeout", true],
    ["UND_ERR_HEADERS_TIMEOUT", "stalled", true],
    ["UND_ERR_BODY_TIMEOUT", "stalled", true],
  ])("knows %s at any depth", (systemCode, code, retryable) => {
    const deep = new TypeError("fetch failed", { cause: new Error("b", { cause: system(systemCode) }) });
    for (const cause of [system(systemCode), deep]) {
      expect(classify(cause)).toMatchObject({ code, retryable, facts: { systemCode } });
    }
  });

  it("knows what has no code", () => {
    expect(classify(new TypeError("terminated")).code).toBe("disconnected");
    expect(classify(new SyntaxError("Unexpected token")).code).toBe("malformed-response");
    expect(classify(new DOMException("x", "AbortError")).code).toBe("aborted");
    expect(classify(new DOMException("x", "TimeoutError")).code).toBe("timeout");
    expect(classify(new TypeError("Do not know how to serialize a BigInt"))).toMatchObject({
      code: "request-invalid",
      retryable: false,
    });
  });

  it("is aborted once the signal is, whatever was thrown", () => {
    const signal = AbortSignal.abort();
    const stalled = new PalimpsestError("stalled", "Nothing came.");
    for (const cause of [stalled, said(500, "api_error", "x"), undefined]) {
      expect(classify(cause, { signal })).toMatchObject({ code: "aborted", retryable: false });
    }
    expect(classify(stalled, { signal: new AbortController().signal })).toBe(stalled);
  });

  it("shows no key, neither one that looks like one nor one that it was told of", () => {
    const key = "hush-hush-hush";
    const error = classify(
      said(401, "authentication_error", `bad key ${key}, sk-ant-api03-0123456789abcdef`),
      {
        secrets: [key],
      },
    );
    expect(JSON.stringify([error.message, error.facts, error.fix])).not.toMatch(/hush|0123456789/);
  });

  it("says of a page of HTML its title only, and keeps long texts short", () => {
    const page = answered(502, { message: "<html><head><title>502 Bad\n Gateway</title></head>…</html>" });
    expect(classify(page).message).toBe("Acme failed to answer (502): 502 Bad Gateway.");
    expect(classify(said(500, "api_error", "x".repeat(100_000))).message.length).toBeLessThan(1_100);
  });

  it("makes an error of anything at all", () => {
    const hostile = {
      get status(): number {
        throw new Error("no");
      },
    };
    for (const cause of [
      hostile,
      null,
      undefined,
      7,
      "text",
      Symbol("s"),
      [],
      () => 1,
      Object.create(null),
    ]) {
      expect(PalimpsestError.isInstance(classify(cause))).toBe(true);
    }
    const loop: { cause?: unknown } = {};
    loop.cause = loop;
    expect(classify(loop).code).toBe("request-invalid");
    fc.assert(fc.property(fc.anything(), (cause) => PalimpsestError.isInstance(classify(cause))));
  });
});
