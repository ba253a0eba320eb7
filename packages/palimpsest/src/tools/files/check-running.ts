import { fail, ok, type Result } from "@palimpsest/core/spec";

/** Asked between two pieces of long work. */
export function checkRunning(signal: AbortSignal): Result<void> {
  return signal.aborted
    ? fail("aborted", "The call was interrupted before it was done.", {
        fix: "Call again if it is still needed.",
      })
    : ok();
}
