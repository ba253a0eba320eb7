import type { ErrorCode, PalimpsestError } from "../../../spec/index.ts";

/** A request for a summary whose answer broke off is sent again at most so often, however it is asked for. */
export const maxBrokenStreams = 2;

const codes: ReadonlySet<ErrorCode> = new Set(["disconnected", "stalled", "malformed-response"]);

export function isBrokenStream({ code }: PalimpsestError): boolean {
  return codes.has(code);
}
