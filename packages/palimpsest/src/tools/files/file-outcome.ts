import { fail, ok, type PalimpsestError, type Result, type ToolOutcome } from "@palimpsest/core/spec";

/** A failure as the model is told: what happened, and what to do instead. */
export function toOutcome(result: Result<ToolOutcome>): ToolOutcome {
  return result.ok ? result.value : { content: failureText(result.error), isError: true };
}

function failureText({ message, fix }: PalimpsestError): string {
  return fix === undefined ? message : `${message} ${fix}`;
}

/** Asked between two pieces of long work. */
export function checkRunning(signal: AbortSignal): Result<void> {
  return signal.aborted
    ? fail("aborted", "The call was interrupted before it was done.", {
        fix: "Call again if it is still needed.",
      })
    : ok();
}
