import type { Prices } from "../../spec/index.ts";

/** An edit of what is in the cache, in tokens. */
export interface CachedEdit {
  /** Taken out. */
  readonly cleared: number;
  /** Tokens that stay in its place: labels. */
  readonly stays: number;
  /** Cached behind the first edited position, what is taken out not counted: it must be written again. */
  readonly behind: number;
}

/** Prices of reading and writing the cache; only their ratio matters. */
export type CacheRates = Pick<Prices, "cacheRead"> & { readonly cacheWrite: number };

/**
 * After how many requests an edit has paid for itself: N* = (w/r − 1) · (T + s) / (H − s). `Infinity` where it takes
 * out no more than it leaves; 0 where nothing has to be written again.
 */
export function requestsToBreakEven({ cleared, stays, behind }: CachedEdit, rates: CacheRates): number {
  const taken = cleared - stays;
  if (taken <= 0) return Number.POSITIVE_INFINITY;
  if (rates.cacheRead <= 0) return behind + stays > 0 ? Number.POSITIVE_INFINITY : 0;
  return ((rates.cacheWrite / rates.cacheRead - 1) * (behind + stays)) / taken;
}

/** Savings of an edit over so many requests, in tokens at the input price; negative where it costs more. */
export function editSaving(edit: CachedEdit, rates: CacheRates, requests: number): number {
  const { cleared, stays, behind } = edit;
  const saved = requests * rates.cacheRead * (cleared - stays);
  return saved - (rates.cacheWrite - rates.cacheRead) * (behind + stays);
}

/** A compaction that nothing forces, in tokens. */
export interface EarlyCompaction {
  /** Tokens no longer in the view. */
  readonly cleared: number;
  /** Tokens written in their place. */
  readonly stays: number;
  /** Of the whole prompt after it: what a fetch reads. */
  readonly promptTokens: number;
  /** The cache is gone: what would stay in the view would be written again as well. */
  readonly isCold: boolean;
  /** How often something of it is expected to be fetched again. */
  readonly fetches: number;
  /** Requests expected until the cache is cold. */
  readonly requests: number;
}

/** The average size of a block that is fetched again, and the output of the call for it: from replays. */
const fetchedTokens = 1_500;
const fetchCallTokens = 80;

/** Its savings and costs, in the unit of the rates. */
export function earlySaving(
  { cleared, stays, promptTokens, isCold, fetches, requests }: EarlyCompaction,
  rates: CacheRates & { readonly output: number },
): { readonly saves: number; readonly costs: number } {
  const { cacheRead, cacheWrite, output } = rates;
  const fetch = cacheRead * promptTokens + cacheWrite * fetchedTokens + output * fetchCallTokens;
  return {
    saves: cleared * (cacheRead * requests + (isCold ? cacheWrite : 0)),
    costs: fetches * fetch + (isCold ? 0 : (cacheWrite - cacheRead) * stays),
  };
}
