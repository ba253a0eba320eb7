/** An answer that is an error, as the API words it. */
export interface ApiError {
  readonly status: number;
  /** `invalid_request_error`, `rate_limit_error`, … */
  readonly type: string;
  readonly message: string;
  /** With `error_code`, where the API has one. */
  readonly details?: Readonly<Record<string, unknown>>;
  /** The extra fields of chat completions: the parameter it is about, and a code. */
  readonly param?: string | null;
  readonly code?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The status that belongs to each type of error. */
const statuses = {
  invalid_request_error: 400,
  authentication_error: 401,
  permission_error: 403,
  not_found_error: 404,
  request_too_large: 413,
  rate_limit_error: 429,
  api_error: 500,
  overloaded_error: 529,
} as const satisfies Readonly<Record<string, number>>;

export type ApiErrorType = keyof typeof statuses;

export function apiError(
  type: ApiErrorType,
  message: string,
  headers?: Readonly<Record<string, string>>,
): ApiError {
  return { status: statuses[type], type, message, ...(headers && { headers }) };
}

/** The body of the response, and of an `error` event inside a stream. */
export function errorBody(error: ApiError, requestId: string): Readonly<Record<string, unknown>> {
  const { type, message, details } = error;
  return { type: "error", error: { type, message, ...(details && { details }) }, request_id: requestId };
}
