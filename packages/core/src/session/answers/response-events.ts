import type { EventBody, Message, SessionStatistics } from "../../spec/index.ts";
import type { CacheWatch } from "../cache/cache-watch.ts";

/** What to tell of a response once it was taken in; nothing of any other message. */
export function responseEvents(
  { type, usage, responseId, stopReason = null, isAborted, contextManagement }: Message,
  before: SessionStatistics,
  after: SessionStatistics,
  watch: CacheWatch | undefined,
  nowMs: number,
): readonly EventBody[] {
  if (type !== "assistant" || !usage) return [];
  const cache = isAborted ? null : (watch?.judge(usage, contextManagement?.applied_edits) ?? null);
  const end: EventBody = {
    type: "request-end",
    ...(responseId !== undefined && { response: responseId }),
    usage,
    stopReason,
    dollars: after.dollars - before.dollars,
    ...(cache && { cache }),
  };
  if (!cache || cache.kind === "hit" || cache.reason === undefined) return [end];
  const { kind, reason, firstBlock, dollars, why } = cache;
  const expected = kind === "expected-break";
  const secondsSinceResponse = Math.max(0, Math.round((nowMs - (before.respondedAtMs ?? nowMs)) / 1000));
  return [end, { type: "cache-break", reason, expected, firstBlock, secondsSinceResponse, dollars, why }];
}
