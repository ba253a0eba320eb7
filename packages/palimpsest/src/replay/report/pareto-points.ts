import type { ReplayReport } from "./replay-report.ts";

/** Where a policy stands in the picture of cost against survival. */
export interface ParetoPoint {
  readonly policy: string;
  /** With fetches, identity = 1, at the first price row. */
  readonly cost: number;
  /** The part of all needs that is in view. */
  readonly kept: number;
  readonly isPareto: boolean;
}

export function paretoPoints({ policies, priceRows }: ReplayReport): readonly ParetoPoint[] {
  const [row = ""] = priceRows;
  return policies.flatMap(({ policy, cost, all, isPareto }) => {
    const dear = cost[row]?.fetched.value;
    const kept = all.inView.value;
    return dear == null || kept === null ? [] : [{ policy, cost: dear, kept, isPareto }];
  });
}
