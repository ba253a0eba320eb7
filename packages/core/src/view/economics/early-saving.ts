import type { CacheRates } from "./break-even.ts";

/** A compaction that nothing forces, in tokens. */
export interface EarlyCompaction {
  /** What is no longer in the view. */
  readonly cleared: number;
  /** What is written in its place. */
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

/** What a block that is fetched again has on average, and what the call for it takes of the output: from replays. */
export const fetchedTokens = 1_500;
export const fetchCallTokens = 80;

/** What it saves and what it costs, in the unit of the rates. */
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
