import type { EventBody, Message, SessionStatistics } from "../spec/index.ts";

/** What to tell of a response once it was taken in; `null` for everything else. */
export function responseEvent(
  { type, usage, responseId, stopReason = null }: Message,
  before: SessionStatistics,
  after: SessionStatistics,
): EventBody | null {
  if (type !== "assistant" || !usage) return null;
  const response = responseId === undefined ? {} : { response: responseId };
  return { type: "request-end", ...response, usage, stopReason, dollars: after.dollars - before.dollars };
}
