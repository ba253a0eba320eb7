import type { Prices } from "../../spec/index.ts";

/** An edit of what is in the cache, in tokens. */
export interface CachedEdit {
  /** Taken out. */
  readonly cleared: number;
  /** What stays in the place of it: labels. */
  readonly stays: number;
  /** Cached behind the first edited position, what is taken out not counted: it must be written again. */
  readonly behind: number;
}

/** What reading and writing the cache costs; only their ratio matters. */
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

/** What an edit saves over so many requests, in tokens at the input price; negative where it costs more. */
export function editSaving(edit: CachedEdit, rates: CacheRates, requests: number): number {
  const { cleared, stays, behind } = edit;
  const saved = requests * rates.cacheRead * (cleared - stays);
  return saved - (rates.cacheWrite - rates.cacheRead) * (behind + stays);
}
