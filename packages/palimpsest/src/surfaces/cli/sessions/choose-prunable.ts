import type { RemovalCandidate } from "./removal-candidates.ts";

export interface PruneLimits {
  readonly nowMs: number;
  readonly olderThanMs?: number;
  readonly maxBytes?: number;
}

export interface Pruning<Candidate> {
  /** Oldest first. */
  readonly go: readonly Candidate[];
  /** Those the limits ask for, and why they stay. */
  readonly stay: readonly { readonly candidate: Candidate; readonly why: string }[];
}

type Prunable = Pick<
  RemovalCandidate,
  "session" | "project" | "modifiedAt" | "footprintBytes" | "openIn" | "forks"
>;

/** Which sessions go: those not written to for so long, then the oldest until the rest fits. Pure. */
export function choosePrunable<Candidate extends Prunable>(
  candidates: readonly Candidate[],
  limits: PruneLimits,
): Pruning<Candidate> {
  const { nowMs, olderThanMs = Number.POSITIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY } = limits;
  const oldest = [...candidates].sort((a, b) => (a.modifiedAt < b.modifiedAt ? -1 : 1));
  const old = oldest.filter(({ modifiedAt }) => nowMs - Date.parse(modifiedAt) > olderThanMs);
  const go = new Set(withoutNeeded(old.filter(isFree)));
  let bytes = oldest.reduce((sum, one) => (go.has(one) ? sum : sum + one.footprintBytes), 0);
  const wanted = new Set(old);
  // A parent may go only once its forks do, and those are younger: so again from the oldest, until nothing moves.
  for (let moved = true; moved && bytes > maxBytes; ) {
    moved = false;
    for (const one of oldest) {
      if (bytes <= maxBytes) break;
      if (go.has(one)) continue;
      wanted.add(one);
      if (!isFree(one) || needersOf(one, go).length > 0) continue;
      go.add(one);
      bytes -= one.footprintBytes;
      moved = true;
    }
  }
  const stay = oldest
    .filter((one) => wanted.has(one) && !go.has(one))
    .map((candidate) => ({ candidate, why: whyStays(candidate, go) }));
  return { go: oldest.filter((one) => go.has(one)), stay };
}

function isFree({ openIn }: Prunable): boolean {
  return openIn === null;
}

/** Forks of a session that would be left without their beginning. */
export function needersOf(one: Prunable, going: Iterable<Prunable>): readonly string[] {
  const gone = new Set(
    [...going].filter(({ project }) => project === one.project).map(({ session }) => session),
  );
  return one.forks.filter((fork) => !gone.has(fork));
}

function withoutNeeded<Candidate extends Prunable>(chosen: readonly Candidate[]): readonly Candidate[] {
  const kept = chosen.filter((one) => needersOf(one, chosen).length === 0);
  return kept.length === chosen.length ? kept : withoutNeeded(kept);
}

function whyStays(one: Prunable, going: Iterable<Prunable>): string {
  return one.openIn === null
    ? `${needersOf(one, going).join(", ")} was forked from it`
    : `it is open in ${one.openIn}`;
}
