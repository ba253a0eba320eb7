import { PalimpsestError } from "@palimpsest/core/spec";
import { type ApiError, apiError } from "../server/api-error.ts";
import type { Answer, AnswerBlock } from "./answer.ts";

/** Something that goes wrong instead of, or in the middle of, an answer. */
export type Fault = ErrorFault | TooLongFault | StreamFault | DropFault;

/** The API answers with an error. */
export interface ErrorFault {
  readonly kind: "fault";
  readonly fault: "error";
  readonly error: ApiError;
}

/** The API says that the prompt does not fit, whatever its length. */
export interface TooLongFault {
  readonly kind: "fault";
  readonly fault: "too-long";
}

/** An answer that begins well. Without streaming it breaks in the middle of the body, or stalls before it. */
export interface StreamFault {
  readonly kind: "fault";
  readonly fault: "cut" | "stall" | "malformed" | "stream-error";
  /** How many events arrive whole: 0 is the headers only, 1 is `message_start`. */
  readonly afterEvent: number;
  readonly answer?: Answer | AnswerBlock | readonly AnswerBlock[];
  /** Of a `stream-error`. */
  readonly error?: ApiError;
}

/** The connection ends before a single byte of the answer. */
export interface DropFault {
  readonly kind: "fault";
  readonly fault: "drop";
}

export interface RetryOptions {
  /** As the header `retry-after`. */
  readonly retryAfterSeconds?: number;
  /** As the header `retry-after-ms`, which SDKs prefer: 1 makes a test that does not wait. */
  readonly retryAfterMs?: number;
  readonly message?: string;
}

export interface StreamOptions {
  readonly afterEvent?: number;
  readonly answer?: StreamFault["answer"];
}

const error = (given: ApiError): ErrorFault => ({ kind: "fault", fault: "error", error: given });

function inStream(fault: StreamFault["fault"], { afterEvent = 1, answer }: StreamOptions): StreamFault {
  if (!Number.isInteger(afterEvent) || afterEvent < 0) {
    throw new PalimpsestError("invalid-input", `A stream cannot break after ${afterEvent} events.`, {
      fix: "Give afterEvent a whole number from 0 on.",
    });
  }
  return { kind: "fault", fault, afterEvent, ...(answer !== undefined && { answer }) };
}

function retryHeaders({ retryAfterSeconds, retryAfterMs }: RetryOptions): Record<string, string> {
  return {
    ...(retryAfterSeconds !== undefined && { "retry-after": String(retryAfterSeconds) }),
    ...(retryAfterMs !== undefined && { "retry-after-ms": String(retryAfterMs) }),
  };
}

/** The faults a script may answer with. */
export const fault = {
  /** 429, with the time to wait: 1 second unless said otherwise. */
  rateLimited: (options: RetryOptions = {}): ErrorFault =>
    error(
      apiError(
        "rate_limit_error",
        options.message ?? "This request would exceed your organization's rate limit.",
        retryHeaders({ retryAfterSeconds: 1, ...options }),
      ),
    ),
  /** 529. */
  overloaded: (options: RetryOptions = {}): ErrorFault =>
    error(apiError("overloaded_error", options.message ?? "Overloaded", retryHeaders(options))),
  /** 500. */
  serverError: (options: RetryOptions = {}): ErrorFault =>
    error(apiError("api_error", options.message ?? "Internal server error", retryHeaders(options))),
  /** 400, in the words for a prompt over the window. */
  tooLong: (): TooLongFault => ({ kind: "fault", fault: "too-long" }),
  /** 413. */
  tooLarge: (): ErrorFault => error(apiError("request_too_large", "Request exceeds the maximum size")),
  /** Any other error. */
  error,
  /** The connection breaks. */
  cut: (options: StreamOptions = {}): StreamFault => inStream("cut", options),
  /** Nothing more comes, until the client gives up or the emulator closes. */
  stall: (options: StreamOptions = {}): StreamFault => inStream("stall", options),
  /** One event is no JSON; those after it arrive. */
  malformed: (options: StreamOptions = {}): StreamFault => inStream("malformed", options),
  /** An `error` event, as when the API is overloaded in the middle of an answer. */
  streamError: (options: StreamOptions & { readonly error?: ApiError } = {}): StreamFault => ({
    ...inStream("stream-error", options),
    error: options.error ?? apiError("overloaded_error", "Overloaded"),
  }),
  drop: (): DropFault => ({ kind: "fault", fault: "drop" }),
} as const;
