/** How many gaps between requests there were, by how long they took. */
export interface RequestGaps {
  /** Under five minutes: both kinds of cache entries live. */
  readonly short: number;
  /** Five minutes to an hour: only the dearer kind does. */
  readonly middle: number;
  /** An hour and more: neither does. */
  readonly long: number;
}

export type CacheTtl = "5m" | "1h";

export const shortTtlMs = 5 * 60 * 1000;
export const longTtlMs = 60 * 60 * 1000;
/** Assumed where nobody knows how long a provider keeps what it has cached. */
export const unknownTtlMs = 60 * 60 * 1000;

export const ttlMsOf = (ttl: CacheTtl): number => (ttl === "1h" ? longTtlMs : shortTtlMs);

export const noGaps: RequestGaps = { short: 0, middle: 0, long: 0 };

/**
 * The prior before any gap was seen, with the weight of 100 gaps. Chosen so that runs of requests are as long as in 38
 * recorded coding sessions, ends of sessions and compactions counted as ends of runs: 19 requests on average with no
 * gap of five minutes (293 runs), 58 with none of an hour (97 runs). At five minutes the mean rest of a run was 19 to
 * 26 requests after any number of them from 0 to 40; at an hour it falls, from 58 to 42.
 */
const gapPrior: RequestGaps = { short: 95, middle: 3.25, long: 1.75 };

/** Older gaps count less: beyond so many, all of them weigh half. */
const maxGaps = 4_000;

export function withGap(gaps: RequestGaps, gapMs: number): RequestGaps {
  const { short, middle, long } = gaps;
  if (short + middle + long >= maxGaps)
    return withGap({ short: short / 2, middle: middle / 2, long: long / 2 }, gapMs);
  if (gapMs < shortTtlMs) return { ...gaps, short: short + 1 };
  return gapMs < longTtlMs ? { ...gaps, middle: middle + 1 } : { ...gaps, long: long + 1 };
}

/** The expected number of requests until the cache is cold. */
export function expectedRequestsLeft(gaps: RequestGaps, ttl: CacheTtl): number {
  const short = gaps.short + gapPrior.short;
  const middle = gaps.middle + gapPrior.middle;
  const long = gaps.long + gapPrior.long;
  return (short + middle + long) / (ttl === "1h" ? long : middle + long);
}

/** The stored gaps, if they are valid; else nothing was learned. */
export function readGaps(stored: unknown): RequestGaps {
  const { version, short, middle, long } = (stored ?? {}) as Partial<RequestGaps> & { version?: unknown };
  const isSound = version === 1 && [short, middle, long].every(isFiniteAmount);
  return isSound ? ({ short, middle, long } as RequestGaps) : noGaps;
}

function isFiniteAmount(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}
