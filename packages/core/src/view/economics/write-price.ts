import type { Facts } from "../../spec/index.ts";

/** What writing to the cache costs: entries that are marked to live for an hour cost more. */
export function writePrice({ prices, cache }: Pick<Facts, "prices" | "cache">): number {
  return cache.isLongMarked ? prices.cacheWrite1h : prices.cacheWrite5m;
}
