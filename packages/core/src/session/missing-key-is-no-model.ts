import { type ForkResult, ok, PalimpsestError, type Result } from "../spec/index.ts";

/**
 * A model without a key cannot be asked: to layers that is no failure of a model but no model at all, and what they have
 * for that case is done. A key that a server was shown and refused stays what it is.
 */
export function missingKeyIsNoModel(error: PalimpsestError): PalimpsestError {
  const { code, message, fix, facts } = error;
  if (code !== "unauthenticated" || facts.status !== undefined) return error;
  return new PalimpsestError("no-model", message, { cause: error, facts, ...(fix !== undefined && { fix }) });
}

/** The same for a fork, which may have begun before it found nobody to ask. */
export function forkWithoutKeyIsNoModel(forked: Result<ForkResult>): Result<ForkResult> {
  if (!forked.ok) return { ok: false, error: missingKeyIsNoModel(forked.error) };
  const { end } = forked.value;
  return end.error ? ok({ ...forked.value, end: { ...end, error: missingKeyIsNoModel(end.error) } }) : forked;
}
