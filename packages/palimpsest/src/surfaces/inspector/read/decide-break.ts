import { type AppliedEdits, longTtlMs, nothingApplied, shortTtlMs } from "@palimpsest/core/internal";
import type { Usage } from "@palimpsest/core/spec";
import { formatCount } from "../../terminal/format-amount.ts";
import type { CacheBreak } from "../inspected.ts";

/** Facts about a request and its response. */
export interface RequestFacts {
  readonly model: string;
  readonly usage?: Usage;
  /** Edits by the API itself in the request; absent where it said nothing. */
  readonly applied?: AppliedEdits;
  readonly sentMs: number;
  readonly endMs: number;
}

export interface BreakInput {
  readonly former: RequestFacts | null;
  readonly now: RequestFacts;
  /** Decisions that changed the view since, each in a few words. */
  readonly decisions: readonly string[];
  /** System prompt or tools were exchanged since. */
  readonly hasNewHead: boolean;
}

/** Counts of providers differ by a few tokens between requests: less than this part of what was left is no break. */
const tolerance = 0.01;

/**
 * Whether a request found less in the cache than the one before had left there, and why. A time to live that has passed
 * explains a break before any decision does: nothing would have been found anyway.
 */
export function decideBreak({ former, now, decisions, hasNewHead }: BreakInput): CacheBreak | null {
  if (!former?.usage || !now.usage) return null;
  const left = former.usage.cacheRead + former.usage.cacheCreation;
  const tokens = left - now.usage.cacheRead;
  if (left === 0 || tokens <= left * tolerance) return null;
  const idleMs = now.sentMs - former.endMs;
  const ttlMs = ttlMsOf(former.usage, now.usage);
  if (former.model !== now.model)
    return { kind: "model", reason: `The model changed from ${former.model} to ${now.model}.`, tokens };
  const passed = `${minutes(idleMs)} had passed since the last response`;
  if (ttlMs !== undefined && idleMs >= ttlMs)
    return { kind: "cold", reason: `${passed}; the cache is kept for ${minutes(ttlMs)}.`, tokens };
  if (hasNewHead) return { kind: "head", reason: "The system prompt or the tools changed.", tokens };
  const causes = [...decisions, ...appliedSince(former, now)];
  if (causes.length > 0) return { kind: "announced", reason: `${causes.join("; ")}.`, tokens };
  if (ttlMs === undefined && idleMs >= shortTtlMs)
    return {
      kind: "cold",
      reason: `${passed}; the provider does not say how long it keeps its cache.`,
      tokens,
    };
  return {
    kind: "unexplained",
    reason: `${formatCount(tokens)} tokens were in the cache and were not read; no decision says why.`,
    tokens,
  };
}

/** Edits by the API itself, in words, where they are not those of the request before. */
function appliedSince(former: RequestFacts, now: RequestFacts): readonly string[] {
  const { applied: before = nothingApplied } = former;
  const { applied = nothingApplied } = now;
  if (applied.key === before.key) return [];
  return [applied.words === "" ? "The API no longer clears anything" : capitalised(applied.words)];
}

function capitalised(words: string): string {
  return `${words.slice(0, 1).toUpperCase()}${words.slice(1)}`;
}

/** What was written last says for how long: five minutes where it does not. A cache that works by itself says nothing. */
function ttlMsOf({ cacheCreation, cacheCreation1h = 0 }: Usage, now: Usage): number | undefined {
  if (cacheCreation === 0 && now.cacheCreation === 0) return undefined;
  return cacheCreation1h > 0 && cacheCreation1h >= cacheCreation / 2 ? longTtlMs : shortTtlMs;
}

function minutes(ms: number): string {
  const count = Math.floor(ms / 60_000);
  return count === 1 ? "1 minute" : `${formatCount(count)} minutes`;
}
