import type { SessionStatistics, Usage } from "../spec/index.ts";
import { shortTtlMs } from "./economics/request-gaps.ts";

/** What responses have told of the provider's cache. */
export type CacheEvidence = Pick<SessionStatistics, "caching" | "warmGapMs">;

/** A response, and what it is compared with. */
export interface CacheObservation {
  readonly usage: Usage;
  /** Tokens of the prompt before it; absent where that was another model's, or there was none. */
  readonly formerPromptTokens?: number;
  /** Since the response before it; absent as above. */
  readonly gapMs?: number;
}

/** Reads of less than this part of the prompt before may be of a head that other sessions keep warm. */
const provingPart = 0.5;

/**
 * What is known once a response was taken in. Usage outranks clocks and names: a prompt that was read after some gap
 * was kept for that long, and one that was not is no longer believed to be.
 */
export function evidenceAfter(before: CacheEvidence, observation: CacheObservation): CacheEvidence {
  const { usage, formerPromptTokens = 0, gapMs = -1 } = observation;
  const caching = cachingAfter(before.caching, usage);
  const isKept = formerPromptTokens > 0 && usage.cacheRead >= formerPromptTokens * provingPart;
  const warmGapMs = warmGapAfter(before.warmGapMs, gapMs, isKept, usage.cacheRead === 0);
  return {
    ...(caching && { caching }),
    ...(warmGapMs !== undefined && { warmGapMs }),
  };
}

/** What is read without ever having been written is in a cache that works by itself. */
function cachingAfter(before: CacheEvidence["caching"], usage: Usage): CacheEvidence["caching"] {
  const { cacheRead, cacheCreation, cacheCreation5m = 0, cacheCreation1h = 0 } = usage;
  if (cacheCreation1h > 0 && cacheCreation1h >= cacheCreation5m) return "1h";
  if (cacheCreation5m > 0) return "5m";
  if (cacheCreation > 0) return "marked";
  return before ?? (cacheRead > 0 ? "automatic" : undefined);
}

function warmGapAfter(
  before: number | undefined,
  gapMs: number,
  isKept: boolean,
  isGone: boolean,
): number | undefined {
  if (isKept && gapMs > (before ?? -1)) return gapMs;
  const isRefuted = isGone && gapMs >= shortTtlMs && before !== undefined && gapMs <= before;
  return isRefuted ? undefined : before;
}
