import type { CacheUsage } from "@palimpsest/core/spec";
import { formatDollars } from "./format-amount.ts";
import { wrapBehind } from "./wrap-text.ts";

const lifetimes = { "5m": "five minutes", "1h": "an hour" } as const;

/** The prompt cache in words: how long it is kept and why, and what keeping it warm has cost. */
export function cacheLines(cache: CacheUsage, columns: number): readonly string[] {
  const { state, lifetime, reason, keepWarmDollars } = cache;
  const spent = keepWarmDollars === undefined ? "" : `; keep-warm ${formatDollars(keepWarmDollars)}`;
  return wrapBehind("cache: ", `${state}, kept for ${lifetimes[lifetime]}: ${reason}${spent}`, columns);
}
