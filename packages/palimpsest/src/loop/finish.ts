import { PalimpsestError, type RunEndReason } from "@palimpsest/core/spec";

/** Why a run is over, before it is said how much it took. */
export interface Finish {
  readonly reason: RunEndReason;
  readonly message?: string;
  readonly error?: PalimpsestError;
}

export const interrupted: Finish = { reason: "aborted", message: "Interrupted." };

/** A run that something unforeseen has ended: a full disk, or a fault of a part that was handed in. */
export function toFinish(cause: unknown): Finish {
  const error = PalimpsestError.isInstance(cause) ? cause : crashed(cause);
  return { reason: "error", message: error.message, error };
}

function crashed(cause: unknown): PalimpsestError {
  const message = cause instanceof Error ? cause.message : String(cause);
  return new PalimpsestError("crashed", `Something in the run failed: ${message}`, { cause });
}
