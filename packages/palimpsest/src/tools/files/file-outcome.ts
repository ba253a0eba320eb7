import type { PalimpsestError, Result, ToolOutcome } from "@palimpsest/core/spec";

/** A failure as the model is told: what happened, and what to do instead. */
export function toOutcome(result: Result<ToolOutcome>): ToolOutcome {
  return result.ok ? result.value : { content: failureText(result.error), isError: true };
}

export function failureText({ message, fix }: PalimpsestError): string {
  return fix === undefined ? message : `${message} ${fix}`;
}
