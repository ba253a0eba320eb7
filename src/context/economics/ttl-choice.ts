/** How many gaps between requests there were, by how long they took. */
export interface RequestGaps {
  /** Under five minutes: both kinds of entries live. */
  readonly short: number;
  /** Five minutes to an hour: only the dearer kind does. */
  readonly middle: number;
  /** An hour and more: neither does. */
  readonly long: number;
}

export const shortTtlMs = 5 * 60 * 1000;
export const longTtlMs = 60 * 60 * 1000;

export const noGaps: RequestGaps = { short: 0, middle: 0, long: 0 };

export function withGap(gaps: RequestGaps, gapMs: number): RequestGaps {
  if (gapMs < shortTtlMs) return { ...gaps, short: gaps.short + 1 };
  return gapMs < longTtlMs ? { ...gaps, middle: gaps.middle + 1 } : { ...gaps, long: gaps.long + 1 };
}

export interface TtlQuestion {
  readonly gaps: RequestGaps;
  /** Tokens of the whole prompt, and how many of them each request adds. */
  readonly promptTokens: number;
  readonly addedTokens: number;
  /** Dollars per token, or anything in proportion. */
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  readonly cacheRead: number;
}

/**
 * Which time to live is cheaper for a user with these gaps. The longer one costs more on everything that is written and
 * saves writing the whole prompt again after each gap between five minutes and an hour.
 */
export function chooseTtl(question: TtlQuestion): "5m" | "1h" {
  const { gaps, promptTokens, addedTokens, cacheWrite5m, cacheWrite1h, cacheRead } = question;
  const requests = gaps.short + gaps.middle + gaps.long;
  if (requests === 0) return "5m";
  const rewritten = gaps.long * promptTokens;
  const short =
    cacheWrite5m * (requests * addedTokens + rewritten) + gaps.middle * cacheWrite5m * promptTokens;
  const long = cacheWrite1h * (requests * addedTokens + rewritten) + gaps.middle * cacheRead * promptTokens;
  return long < short ? "1h" : "5m";
}
