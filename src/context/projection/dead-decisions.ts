import type { DecisionEntry } from "../../spec/index.ts";

/** What is remembered of a decision that can kill another one, or be buried. */
export interface DecisionRecord {
  readonly id: string;
  readonly seq: number;
  readonly type: "compact" | "restore";
  /** The decision that a restore makes dead. */
  readonly target?: { readonly id: string; readonly seq: number };
}

/** `null` for decisions that neither kill nor bury. */
export function toRecord({ id, seq, decision }: DecisionEntry): DecisionRecord | null {
  if (decision.type === "compact") return { id, seq, type: "compact" };
  if (decision.type !== "restore") return null;
  return { id, seq, type: "restore", target: { id: decision.decision, seq: decision.decisionSeq } };
}

/**
 * The decisions that live restores have made dead, by id with their sequence numbers, from live records in the order of
 * the log. A restore that was
 * itself restored does nothing. A compaction under a later live one is buried: restoring it does nothing either.
 */
export function deadDecisions(records: readonly DecisionRecord[]): ReadonlyMap<string, number> {
  const dead = new Map<string, number>();
  for (const { id, seq, target } of records.toReversed()) {
    if (!target || dead.has(id) || target.seq >= seq) continue;
    const isBoundary = records.some((one) => one.id === target.id && one.type === "compact");
    const isBuried = records.some(
      (one) => one.type === "compact" && one.seq > target.seq && one.seq < seq && !dead.has(one.id),
    );
    if (!(isBoundary && isBuried)) dead.set(target.id, target.seq);
  }
  return dead;
}
