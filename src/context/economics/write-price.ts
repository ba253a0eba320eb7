import type { Facts } from "../../spec/index.ts";
import { shortTtlMs } from "./request-gaps.ts";

/** What writing to the cache costs: entries that live longer than five minutes cost more. */
export function writePrice({ prices, cache }: Pick<Facts, "prices" | "cache">): number {
  return cache.ttlMs > shortTtlMs ? prices.cacheWrite1h : prices.cacheWrite5m;
}
