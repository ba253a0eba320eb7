import type { AtomType } from "./extract-atoms.ts";
import type { NeedState } from "./need-state.ts";

/** Upper ends of the distances told apart, in requests. */
export const distanceLimits = [1, 5, 10, 30, Number.POSITIVE_INFINITY] as const;

/** From here on a source is far away. */
export const farDistance = 11;

export type SurvivalCounts = Readonly<Record<NeedState, number>>;

/** How many needs were in which state, by type and distance. */
export interface Survival {
  add(type: AtomType, distance: number, state: NeedState): void;
  merge(other: Survival): void;
  /** Of one type, or of all; with `fromDistance` only those at least so far away. */
  counts(type?: AtomType, fromDistance?: number): SurvivalCounts;
  rows(): readonly SurvivalRow[];
}

export interface SurvivalRow {
  readonly type: AtomType;
  /** Position in `distanceLimits`. */
  readonly bucket: number;
  readonly counts: SurvivalCounts;
}

const none: SurvivalCounts = { "in-view": 0, recall: 0, refetch: 0, lost: 0 };

export function createSurvival(): Survival {
  const rows = new Map<string, SurvivalRow>();

  function put(type: AtomType, bucket: number, counts: SurvivalCounts): void {
    const key = `${type} ${bucket}`;
    rows.set(key, { type, bucket, counts: addCounts(rows.get(key)?.counts ?? none, counts) });
  }

  return {
    add(type, distance, state) {
      const bucket = distanceLimits.findIndex((limit) => distance <= limit);
      put(type, bucket, { ...none, [state]: 1 });
    },
    merge(other) {
      for (const { type, bucket, counts } of other.rows()) put(type, bucket, counts);
    },
    counts: (type, fromDistance) => sumSurvival([...rows.values()], type, fromDistance),
    rows: () => [...rows.values()].sort((one, other) => (order(one) < order(other) ? -1 : 1)),
  };
}

/** Of one type, or of all; with `fromDistance` only those at least so far away. */
export function sumSurvival(rows: readonly SurvivalRow[], type?: AtomType, fromDistance = 0): SurvivalCounts {
  const first = distanceLimits.findIndex((limit) => fromDistance <= limit);
  return rows
    .filter((row) => (type === undefined || row.type === type) && row.bucket >= first)
    .reduce((counts, row) => addCounts(counts, row.counts), none);
}

/** The part of needs that are in view, and the part that is in view or one recall away; `null` where there are none. */
export function survivalShares(counts: SurvivalCounts): {
  readonly inView: number | null;
  readonly withRecall: number | null;
} {
  const all = counts["in-view"] + counts.recall + counts.refetch + counts.lost;
  if (all === 0) return { inView: null, withRecall: null };
  return { inView: counts["in-view"] / all, withRecall: (counts["in-view"] + counts.recall) / all };
}

function addCounts(one: SurvivalCounts, other: SurvivalCounts): SurvivalCounts {
  return {
    "in-view": one["in-view"] + other["in-view"],
    recall: one.recall + other.recall,
    refetch: one.refetch + other.refetch,
    lost: one.lost + other.lost,
  };
}

function order({ type, bucket }: SurvivalRow): string {
  return `${type} ${bucket}`;
}
