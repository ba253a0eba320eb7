import type { Decision } from "../../spec/index.ts";

/** Whether a decision only records that results are sent whole: every item stays the very same. */
export function isFreezeOnly(decision: Decision): boolean {
  return decision.type === "offload" && decision.results.every(({ preview }) => preview === null);
}
