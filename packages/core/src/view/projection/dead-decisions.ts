import type { DecisionEntry } from "../../spec/index.ts";

/** What is remembered of a decision that can kill another one, or be buried. */
export interface DecisionRecord {
  readonly id: string;
  readonly seq: number;
  readonly type: "compact" | "restore";
  /** The decision that a restore makes dead. */
  readonly target?: Target;
}

interface Target {
  readonly id: string;
  readonly seq: number;
}

/** `null` for decisions that neither kill nor bury. */
export function toRecord({ id, seq, decision }: DecisionEntry): DecisionRecord | null {
  if (decision.type === "compact") return { id, seq, type: "compact" };
  if (decision.type !== "restore") return null;
  return { id, seq, type: "restore", target: { id: decision.decision, seq: decision.decisionSeq } };
}

/** The decisions that restores have made dead, kept up to date record by record. */
export interface DeadDecisions {
  /** By id, with their sequence numbers. */
  readonly dead: ReadonlyMap<string, number>;
  /** Takes the next live record, in the order of the log. */
  add(record: DecisionRecord): void;
}

/**
 * A restore is judged by what held when it was made: it does nothing where its target was dead already, was a compaction
 * under a later one that was in force, or does not stand before it. A restore that was itself restored does nothing from
 * then on. Targets stand before their restores, so that no chain of restores comes back to where it began.
 */
export function createDeadDecisions(records: readonly DecisionRecord[] = []): DeadDecisions {
  const dead = new Map<string, number>();
  const compactions: DecisionRecord[] = [];
  /** Restores that took effect, dead or not, with what they make dead. */
  const restores = new Map<string, Target>();
  /** By decision, the restores in force that make it dead. */
  const restoredBy = new Map<string, Set<string>>();
  /** By decision, all restores that speak of it. */
  const claims = new Map<string, readonly string[]>();
  const seqs = new Map<string, number>();

  function isBuried({ id, seq }: Target): boolean {
    let hasLater = false;
    for (let at = compactions.length - 1; at >= 0; at -= 1) {
      const one = compactions[at] as DecisionRecord;
      if (one.id === id) return hasLater;
      if (one.seq > seq && !dead.has(one.id)) hasLater = true;
    }
    return false;
  }

  /** Makes a decision dead; where that is a restore, what it had made dead lives again, and so on down the chain. */
  function kill(first: Target, restore: string): void {
    let target = first;
    let by = restore;
    for (let kills = true; ; kills = !kills) {
      const { id, seq } = target;
      const all = restoredBy.get(id) ?? new Set<string>();
      restoredBy.set(id, all);
      const wasDead = all.size > 0;
      if (kills) all.add(by);
      else all.delete(by);
      if (all.size > 0 === wasDead) return;
      if (kills) dead.set(id, seq);
      else dead.delete(id);
      const own = restores.get(id);
      if (!own) return;
      by = id;
      target = own;
    }
  }

  /** What spoke of a decision before it was there has no say in it. */
  function forgetClaims(id: string): void {
    for (const restore of claims.get(id) ?? []) restores.delete(restore);
    claims.delete(id);
    restoredBy.delete(id);
    dead.delete(id);
  }

  function add(record: DecisionRecord): void {
    const { id, seq, type, target } = record;
    forgetClaims(id);
    seqs.set(id, seq);
    if (type === "compact") compactions.push(record);
    if (!target || target.id === id || (seqs.get(target.id) ?? target.seq) !== target.seq) return;
    if (target.seq >= seq || dead.has(target.id) || isBuried(target)) return;
    restores.set(id, target);
    claims.set(target.id, [...(claims.get(target.id) ?? []), id]);
    kill(target, id);
  }

  for (const record of records) add(record);
  return { dead, add };
}
