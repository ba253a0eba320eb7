import type { Facts, View } from "../../spec/index.ts";

/** A summary that is prepared ahead and is not there by then counts no longer: one is written on the spot. */
export const summaryWaitMs = 180_000;

/** A request that needs the room waits for the summary that is being prepared for it. */
export function waitForSummary({ count }: View, { thresholds }: Facts): number {
  return count.tokens < thresholds.auto ? 0 : summaryWaitMs;
}
