import type { Decision } from "../../spec/index.ts";

/** Whether a decision only records that results are sent whole: every item stays the very same. */
export function isFreezeOnly(decision: Decision): boolean {
  if (decision.type !== "offload" || (decision.blocks?.length ?? 0) > 0) return false;
  return decision.results.every(({ preview, mediaLabel }) => preview === null && mediaLabel === undefined);
}
