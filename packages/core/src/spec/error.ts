/**
 * Every way an operation can fail, closed: a caller may switch over it and the compiler says when one is missing.
 * A code names what happened, never who failed.
 */
export type ErrorCode =
  | "aborted"
  | "closed"
  | "collected"
  | "conflict"
  | "corrupt"
  | "crashed"
  | "denied"
  | "disconnected"
  | "disk-full"
  | "exists"
  | "fenced"
  | "held"
  | "invalid-input"
  | "invalid-path"
  | "io"
  | "is-directory"
  | "malformed-response"
  | "newer-format"
  | "no-model"
  | "not-directory"
  | "not-found"
  | "over-budget"
  | "overloaded"
  | "permission"
  | "prompt-too-long"
  | "rate-limited"
  | "read-only"
  | "request-invalid"
  | "server-error"
  | "stalled"
  | "timeout"
  | "too-large"
  | "unauthenticated"
  | "unknown-format";

export interface ErrorDetails {
  /** A fix for the problem, as one sentence for a person. */
  readonly fix?: string;
  /** The file, setting or id it is about. */
  readonly path?: string;
  /** True when the same call may succeed later without anything else changing. */
  readonly retryable?: boolean;
  readonly cause?: unknown;
  /** Plain values that a program may want: sizes, versions, the present holder. */
  readonly facts?: Readonly<Record<string, unknown>>;
}

const brand = Symbol.for("palimpsest.error");

/** The one error of the project. Expected failures travel inside a `Result`; wrong configuration throws it. */
export class PalimpsestError extends Error {
  override readonly name = "PalimpsestError";
  readonly code: ErrorCode;
  readonly fix: string | undefined;
  readonly path: string | undefined;
  readonly retryable: boolean;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly [brand] = true;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.fix = details.fix;
    this.path = details.path;
    this.retryable = details.retryable ?? false;
    this.facts = details.facts ?? {};
  }

  /** Holds across copies of the package, where `instanceof` does not. */
  static isInstance(value: unknown): value is PalimpsestError {
    return typeof value === "object" && value !== null && brand in value;
  }
}
