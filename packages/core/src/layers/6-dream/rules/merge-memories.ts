import type { ParsedMemory } from "./memory-shapes.ts";
import { mergeBodies, newLines } from "./merge-bodies.ts";

export interface Merge {
  /** What stays, under its own path. */
  readonly kept: ParsedMemory;
  readonly removed: ParsedMemory;
}

/** Who has the last word: what the user confirmed, what is trusted, what the user wrote, what says more; then the path. */
function ranked(one: ParsedMemory, other: ParsedMemory): readonly [ParsedMemory, ParsedMemory] {
  const ranks = [one, other].map(({ isConfirmed, trust, author, body }) => [
    isConfirmed === true ? 1 : 0,
    trust === "trusted" ? 1 : 0,
    author === "user" ? 1 : 0,
    body.length,
  ]) as [number[], number[]];
  const at = ranks[0].findIndex((rank, place) => rank !== ranks[1][place]);
  const isFirst = at < 0 ? one.path < other.path : (ranks[0][at] as number) > (ranks[1][at] as number);
  return isFirst ? [one, other] : [other, one];
}

/**
 * One memory of two that are alike. `null` where a person has to decide: both are confirmed, or the weaker one says
 * something that must not be added to the stronger, which is confirmed or more trusted.
 */
export function mergeMemories(one: ParsedMemory, other: ParsedMemory, nearPercent: number): Merge | null {
  const [winner, loser] = ranked(one, other);
  if (loser.isConfirmed === true) return null;
  const mayGrow = winner.isConfirmed !== true && (loser.trust === "trusted" || winner.trust === "untrusted");
  const adds = newLines(winner.body, loser.body, nearPercent).length > 0;
  if (!mayGrow) return adds ? null : { kept: winner, removed: loser };
  const entries = [...new Set([...(winner.entries ?? []), ...(loser.entries ?? [])])];
  if (!adds && entries.length === (winner.entries?.length ?? 0)) return { kept: winner, removed: loser };
  const body = mergeBodies(winner.body, loser.body, nearPercent);
  return { kept: { ...winner, ...(entries.length > 0 ? { entries } : {}), body }, removed: loser };
}
