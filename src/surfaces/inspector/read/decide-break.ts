import { longTtlMs, shortTtlMs } from "../../../context/economics/request-gaps.ts";
import type { Usage } from "../../../spec/index.ts";
import { formatCount } from "../../cli/format-amount.ts";
import type { CacheBreak } from "../inspected.ts";

/** What is known of a request and its response. */
export interface RequestFacts {
  readonly model: string;
  readonly usage?: Usage;
  readonly sentMs: number;
  readonly endMs: number;
}

export interface BreakQuestion {
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
export function decideBreak({ former, now, decisions, hasNewHead }: BreakQuestion): CacheBreak | null {
  if (!former?.usage || !now.usage) return null;
  const left = former.usage.cacheRead + former.usage.cacheCreation;
  const tokens = left - now.usage.cacheRead;
  if (left === 0 || tokens <= left * tolerance) return null;
  const idleMs = now.sentMs - former.endMs;
  const ttlMs = ttlMsOf(former.usage);
  if (former.model !== now.model)
    return { kind: "model", reason: `The model changed from ${former.model} to ${now.model}.`, tokens };
  if (idleMs >= ttlMs)
    return {
      kind: "cold",
      reason: `${minutes(idleMs)} had passed since the last response; the cache is kept for ${minutes(ttlMs)}.`,
      tokens,
    };
  if (hasNewHead) return { kind: "head", reason: "The system prompt or the tools changed.", tokens };
  if (decisions.length > 0) return { kind: "announced", reason: `${decisions.join("; ")}.`, tokens };
  return {
    kind: "unexplained",
    reason: `${formatCount(tokens)} tokens were in the cache and were not read; no decision says why.`,
    tokens,
  };
}

/** What was written last says for how long; where the provider did not say, five minutes. */
function ttlMsOf({ cacheCreation, cacheCreation1h = 0 }: Usage): number {
  return cacheCreation1h > 0 && cacheCreation1h >= cacheCreation / 2 ? longTtlMs : shortTtlMs;
}

function minutes(ms: number): string {
  const count = Math.floor(ms / 60_000);
  return count === 1 ? "1 minute" : `${formatCount(count)} minutes`;
}
