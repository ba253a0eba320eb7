import type { Facts, NativeCompaction, View } from "../../../spec/index.ts";

export const defaultNativeCompaction: NativeCompaction = "off";

/** The API takes no lower trigger. */
export const minServerTriggerTokens = 50_000;

/** Who compacts: what was chosen, where the model can do it. A window in which the API would come too late has none. */
export function nativeCompactionOf(facts: Facts): NativeCompaction {
  const { native } = (facts.settings.compaction ?? {}) as { readonly native?: unknown };
  const { nativeCompaction, serverCompaction, contextManagement } = facts.capabilities;
  if (native === "on-demand" && nativeCompaction) return native;
  const isInTime = serverTriggerTokens(facts) < facts.thresholds.blocking;
  return native === "server" && serverCompaction && contextManagement && isInTime
    ? native
    : defaultNativeCompaction;
}

/** From how many tokens on the API compacts: the threshold, or the least it takes. */
export function serverTriggerTokens({ thresholds }: Pick<Facts, "thresholds">): number {
  return Math.max(minServerTriggerTokens, thresholds.auto);
}

/** Whether automatic compaction is the API's: as long as a request can be made at all. */
export function isLeftToServer({ count }: Pick<View, "count">, facts: Facts): boolean {
  return nativeCompactionOf(facts) === "server" && count.tokens < facts.thresholds.blocking;
}
