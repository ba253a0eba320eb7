import type { InspectorFailure } from "../inspected.ts";

/** A failure of the source, in words for a person. */
export class InspectorError extends Error {
  readonly fix?: string;

  constructor({ message, fix }: InspectorFailure) {
    super(message);
    this.name = "InspectorError";
    if (fix !== undefined) this.fix = fix;
  }
}

export function toFailure(error: unknown): InspectorFailure {
  if (error instanceof InspectorError)
    return error.fix === undefined ? { message: error.message } : { message: error.message, fix: error.fix };
  return { message: error instanceof Error ? error.message : String(error) };
}
