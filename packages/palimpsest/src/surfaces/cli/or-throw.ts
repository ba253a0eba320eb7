import type { Result } from "@palimpsest/core/spec";

/** The value, or the failure thrown: a command ends where something fails, and says why. */
export function orThrow<T>(result: Result<T>): T {
  if (!result.ok) throw result.error;
  return result.value;
}
