import { type ErrorCode, type ErrorDetails, PalimpsestError } from "./error.ts";

/** The return value of a port: ports do not throw. */
export type Result<T, E = PalimpsestError> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly error: E };

export function ok(): Result<void, never>;
export function ok<T>(value: T): Result<T, never>;
export function ok<T>(value?: T): Result<T | undefined, never> {
  return { ok: true, value };
}

export function fail(
  code: ErrorCode,
  message: string,
  details?: ErrorDetails,
): { readonly ok: false; readonly error: PalimpsestError } {
  return { ok: false, error: new PalimpsestError(code, message, details) };
}
