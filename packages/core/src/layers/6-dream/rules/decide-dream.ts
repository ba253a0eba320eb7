import type { DreamNumbers } from "../settings.ts";

/** Why nobody dreams now. */
export type DreamSkip =
  | "switched-off"
  | "in-a-fork"
  | "no-memory"
  | "too-soon"
  | "scanned-lately"
  | "too-few-sessions";

/** The facts known so far. What is absent has not been looked at yet, and costs something to know. */
export interface DreamFacts {
  readonly nowMs: number;
  readonly numbers: DreamNumbers;
  /** Flag and setting. */
  readonly isEnabled: boolean;
  readonly isFork: boolean;
  readonly hasMemory: boolean;
  /** A person asks for it: neither time nor sessions count. */
  readonly isByHand?: boolean;
  /** Since this process last looked through the sessions; absent: it never has. */
  readonly sinceScanMs?: number;
  /** `null`: never. */
  readonly lastConsolidatedMs?: number | null;
  /** Touched since then, the current one not counted. */
  readonly touchedSessions?: number;
}

/** The next thing to find out, or the end. */
export type DreamStep =
  | { readonly step: "skip"; readonly reason: DreamSkip }
  /** One look at the lock's file says when memory was last put in order. */
  | { readonly step: "look-at-lock" }
  /** Look through the sessions for those touched after this. */
  | { readonly step: "scan-sessions"; readonly sinceMs: number }
  /** Take the lock, and dream. */
  | { readonly step: "take-lock" };

const skip = (reason: DreamSkip): DreamStep => ({ step: "skip", reason });

/** The gates, cheapest first: asked again with each thing that was found out, it asks for the next or comes to an end. */
export function decideDream(facts: DreamFacts): DreamStep {
  const { numbers, lastConsolidatedMs, touchedSessions, sinceScanMs } = facts;
  if (!facts.isEnabled) return skip("switched-off");
  if (facts.isFork) return skip("in-a-fork");
  if (!facts.hasMemory) return skip("no-memory");
  if (facts.isByHand) return { step: "take-lock" };
  if (lastConsolidatedMs === undefined) return { step: "look-at-lock" };
  const gapMs = lastConsolidatedMs === null ? Number.POSITIVE_INFINITY : facts.nowMs - lastConsolidatedMs;
  if (Math.abs(gapMs) < numbers.minGapMs) return skip("too-soon");
  if (touchedSessions === undefined) {
    if (sinceScanMs !== undefined && sinceScanMs < numbers.scanGapMs) return skip("scanned-lately");
    // A consolidation from the far future was dated by a clock that has been put right since: it counts as none.
    return { step: "scan-sessions", sinceMs: gapMs < 0 ? 0 : (lastConsolidatedMs ?? 0) };
  }
  return touchedSessions < numbers.minSessions ? skip("too-few-sessions") : { step: "take-lock" };
}
