import type { WindowThresholds } from "./window-thresholds.ts";

/** The part of the threshold that is a conversation's, whatever stands before it, as long as requests may be sent. */
const headRoomPercent = 10;

/**
 * The thresholds where system prompt and tools have so many tokens. A head that fills the window nearly up to the
 * threshold would leave nothing to compact: automatic compaction then begins later, at most where requests are blocked.
 */
export function withHeadRoom(thresholds: WindowThresholds, headTokens: number): WindowThresholds {
  const { auto, base, warning, error, blocking, autoEnabled } = thresholds;
  const wanted = Math.min(blocking, headTokens + Math.ceil((auto * headRoomPercent) / 100));
  const later = wanted - auto;
  if (later <= 0) return thresholds;
  if (!autoEnabled) return { ...thresholds, auto: wanted };
  return { ...thresholds, auto: wanted, base: base + later, warning: warning + later, error: error + later };
}
