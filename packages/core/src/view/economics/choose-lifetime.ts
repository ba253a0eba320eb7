import type { Capabilities } from "../../spec/index.ts";
import {
  type KeepWarmLimits,
  type KeepWarmPrice,
  plannedReads,
  readDollars,
  writeRate,
} from "./keep-warm.ts";
import { type Pauses, pauseRangesMs, type SessionUse } from "./pauses.ts";
import { type CacheTtl, ttlMsOf } from "./request-gaps.ts";

export interface LifetimeInput extends Omit<KeepWarmPrice, "ttl"> {
  readonly use: SessionUse;
  readonly capabilities: Pick<Capabilities, "cacheMarkers" | "minCachedPrefix">;
  /** The lifetime of what is in the cache now; absent where it is cold, so that either is free to choose. */
  readonly warm?: CacheTtl;
  /** Where the cache is kept warm: with each lifetime's own interval. */
  readonly keepWarm?: (ttl: CacheTtl) => KeepWarmLimits | null;
}

export interface LifetimeChoice {
  readonly ttl: CacheTtl;
  readonly reason: string;
}

/**
 * The cheaper lifetime from this request on. Every cached token costs its writing once, and at each pause what it takes
 * to have it there again. While the cache is warm its lifetime stays: a longer one would have everything written anew, for
 * sure, where a later pause only may; and when that pause comes, the choice is free.
 */
export function chooseLifetime(question: LifetimeInput): LifetimeChoice {
  const { capabilities, prices, warm, use, pauses, promptTokens } = question;
  if (!capabilities.cacheMarkers) return { ttl: "5m", reason: "this model's provider takes no lifetime" };
  if (!(prices.cacheWrite1h > 0 && prices.cacheWrite5m > 0))
    return { ttl: "5m", reason: "the price of an hour is not known" };
  if (warm) return { ttl: warm, reason: "the cache is warm: another lifetime would have it written anew" };
  if (promptTokens < capabilities.minCachedPrefix)
    return { ttl: "5m", reason: "the prompt is too short to be cached" };
  const [short, long] = (["5m", "1h"] as const).map((ttl) => costOfLife(ttl, question)) as [number, number];
  const ttl = long < short ? "1h" : "5m";
  const share = Math.round((Math.abs(long - short) / Math.max(long, short)) * 100);
  return { ttl, reason: `${describe(use, pauses)}: writing and keeping is expected to cost ${share} % less` };
}

function describe(use: SessionUse, pauses: Pauses): string {
  const within = pauses.counts.filter((_, at) => (pauseRangesMs[at]?.[1] ?? 0) <= ttlMsOf("1h"));
  const inHour = within.reduce((sum, count) => sum + count, 0);
  const beyond = pauses.counts.reduce((sum, count) => sum + count, pauses.ends) - inHour;
  const ratio = (inHour / Math.max(beyond, 1)).toFixed(1);
  return `${use} use, ${ratio} pauses of 5 to 60 minutes for each longer one or end`;
}

/** Expected dollars of one million cached tokens, from their writing to the end of the conversation. */
function costOfLife(ttl: CacheTtl, question: LifetimeInput): number {
  const { pauses, prices, promptTokens, keepWarm } = question;
  const limits = keepWarm?.(ttl) ?? null;
  const reads = limits ? plannedReads({ ...question, ttl, ...limits }) : 0;
  const perRead = (readDollars(question) / Math.max(promptTokens, 1)) * 1e6;
  const rewriting = writeRate(ttl, prices) - prices.cacheRead;
  const intervalMs = limits?.intervalMs ?? 0;
  /** Of a pause of that length. */
  const costOf = (lengthMs: number) => {
    const made = intervalMs > 0 ? Math.min(reads, Math.floor(lengthMs / intervalMs)) : 0;
    const isKept = lengthMs < made * intervalMs + ttlMsOf(ttl);
    return made * perRead + (isKept ? 0 : rewriting);
  };
  const inPauses = pauses.counts.reduce((sum, count, at) => {
    const [start, end] = pauseRangesMs[at] as readonly [number, number];
    return sum + count * costOf((start + end) / 2);
  }, 0);
  const ends = Math.max(pauses.ends, 1);
  return writeRate(ttl, prices) + (inPauses + ends * reads * perRead) / ends;
}
