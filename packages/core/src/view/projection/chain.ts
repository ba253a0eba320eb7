import type { DecisionEntry } from "../../spec/index.ts";

/**
 * Which entries are live. An entry's predecessor is the head at its append; a rewind moves the head, and only
 * ancestors of the head are live. Memory grows with head moves, not with entries.
 */
export interface Chain {
  /** Takes note of an entry that was appended behind the head, and becomes the head. */
  append(seq: number): void;
  /** Moves the head to an entry that was appended before. */
  move(head: number): void;
  isLive(seq: number): boolean;
  readonly head: number;
  /** A second one that goes on from here by itself. */
  copy(): Chain;
}

/** Entries appended one behind the other, from `first` on; `parent` is the head they began at. */
interface Branch {
  readonly first: number;
  last: number;
  readonly parent: number;
}

interface Interval {
  readonly from: number;
  to: number;
}

interface ChainStart {
  readonly branches: readonly Branch[];
  readonly live: readonly Interval[];
  readonly head: number;
  readonly hasMoved: boolean;
}

export function createChain(): Chain {
  return resumeFrom({ branches: [], live: [], head: 0, hasMoved: true });
}

function resumeFrom(start: ChainStart): Chain {
  const branches = start.branches.map((branch) => ({ ...branch }));
  let live = start.live.map((interval) => ({ ...interval }));
  let { head, hasMoved } = start;

  /** The branch an entry was appended in: branches are in the order of their entries. */
  function branchOf(seq: number): Branch | undefined {
    let low = 0;
    let high = branches.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if ((branches[middle]?.first ?? Number.POSITIVE_INFINITY) <= seq) low = middle;
      else high = middle - 1;
    }
    const found = branches[low];
    return found && found.first <= seq ? found : undefined;
  }

  function ancestors(of: number): Interval[] {
    const intervals: Interval[] = [];
    for (let seq = of; seq > 0; ) {
      const branch = branchOf(seq);
      if (!branch) break;
      intervals.unshift({ from: branch.first, to: seq });
      seq = branch.parent;
    }
    return intervals;
  }

  return {
    get head() {
      return head;
    },
    append(seq) {
      const last = branches.at(-1);
      if (hasMoved || !last) {
        branches.push({ first: seq, last: seq, parent: head });
        live.push({ from: seq, to: seq });
        hasMoved = false;
      } else {
        last.last = seq;
        const interval = live.at(-1);
        if (interval) interval.to = seq;
      }
      head = seq;
    },
    move(to) {
      head = to;
      live = ancestors(to);
      hasMoved = true;
    },
    copy: () => resumeFrom({ branches, live, head, hasMoved }),
    isLive(seq) {
      for (let index = live.length - 1; index >= 0; index -= 1) {
        const interval = live[index];
        if (interval && seq >= interval.from) return seq <= interval.to;
      }
      return false;
    },
  };
}

/** The record of a decision that can kill another one, or be buried. */
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
export function toDecisionRecord({ id, seq, decision }: DecisionEntry): DecisionRecord | null {
  if (decision.type === "compact") return { id, seq, type: "compact" };
  if (decision.type !== "restore") return null;
  return { id, seq, type: "restore", target: { id: decision.decision, seq: decision.decisionSeq } };
}

/** The decisions that restores have made dead, kept up to date record by record. */
interface DeadDecisions {
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

  /** Claims about a decision from before it was there do not count. */
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
