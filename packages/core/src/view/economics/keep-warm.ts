import type { Rates } from "../../spec/index.ts";
import { type Pauses, pausesFrom, pausesWithin } from "./pauses.ts";
import { type CacheTtl, ttlMsOf } from "./request-gaps.ts";

/** How a prefix may be kept in the cache while nobody asks. */
export interface KeepWarmLimits {
  /** From one use of the cache to the read that keeps it; shorter than the lifetime. */
  readonly intervalMs: number;
  readonly mostReads: number;
}

/** What decides whether a read pays. */
export interface KeepWarmPrice {
  readonly ttl: CacheTtl;
  /** Where parts of the prompt are marked for different lifetimes: the dearest, which a miss may write all of it for. */
  readonly dearestTtl?: CacheTtl;
  readonly pauses: Pauses;
  readonly prices: Pick<Rates, "cacheWrite5m" | "cacheWrite1h" | "cacheRead" | "output">;
  readonly promptTokens: number;
  /** The shortest answer that the API gives. */
  readonly answerTokens: number;
}

export interface KeepWarmInput extends KeepWarmPrice, KeepWarmLimits {
  /** Since the newest request that was more than a read. */
  readonly pausedMs: number;
  readonly readsDone: number;
  /** May be spent on reads from here on. */
  readonly dollarsLeft: number;
}

export type KeepWarmDecision =
  | { readonly due: true; readonly readDollars: number; readonly expectedSaving: number }
  | { readonly due: false; readonly why: "most-reads" | "budget" | "no-saving"; readonly reason: string };

const perToken = 1e-6;

/** Dollars of a read that finds the prefix. */
export function readDollars({
  prices,
  promptTokens,
  answerTokens,
}: Omit<KeepWarmPrice, "ttl" | "pauses">): number {
  return (promptTokens * prices.cacheRead + answerTokens * prices.output) * perToken;
}

export const writeRate = (ttl: CacheTtl, prices: KeepWarmPrice["prices"]): number =>
  ttl === "1h" ? prices.cacheWrite1h : prices.cacheWrite5m;

/** The most a read can cost: it finds nothing, and writes all of it. */
export function missDollars(price: Omit<KeepWarmPrice, "pauses">): number {
  const { ttl, dearestTtl = ttl, prices, promptTokens, answerTokens } = price;
  return (promptTokens * writeRate(dearestTtl, prices) + answerTokens * prices.output) * perToken;
}

/**
 * Whether the next read pays, given that the pause has lasted until now. Its price is weighed against writing the prompt
 * again, times the chance that the next request comes in the time that the read buys, and what later reads are worth.
 * A read is due only where the budget could bear that it finds nothing: so reads never cost more than their budget.
 */
export function decideKeepWarm(question: KeepWarmInput): KeepWarmDecision {
  const { readsDone, mostReads, dollarsLeft, pausedMs } = question;
  if (readsDone >= mostReads)
    return { due: false, why: "most-reads", reason: `${readsDone} reads were made in this pause` };
  if (missDollars(question) > dollarsLeft)
    return {
      due: false,
      why: "budget",
      reason: "what is left of the budget could not bear a read that misses",
    };
  const expectedSaving = savingFrom(question, pausedMs, mostReads - readsDone);
  if (!(expectedSaving > 0))
    return { due: false, why: "no-saving", reason: "the expected saving is no longer worth the read" };
  return { due: true, readDollars: readDollars(question), expectedSaving };
}

/** How many reads a pause gets that nobody ends. */
export function plannedReads(price: KeepWarmPrice & KeepWarmLimits): number {
  const { mostReads, intervalMs } = price;
  for (let done = 0; done < mostReads; done += 1)
    if (!(savingFrom(price, (done + 1) * intervalMs, mostReads - done) > 0)) return done;
  return mostReads;
}

/** The expected dollars saved by reading at `pausedMs` and, as long as that pays, at every interval behind it. */
function savingFrom(price: KeepWarmPrice & KeepWarmLimits, pausedMs: number, reads: number): number {
  const { ttl, prices, promptTokens, pauses, intervalMs } = price;
  const ttlMs = ttlMsOf(ttl);
  const cost = readDollars(price);
  const savedByHit = promptTokens * (writeRate(ttl, prices) - prices.cacheRead) * perToken;
  let later = 0;
  for (let read = reads - 1; read >= 0; read -= 1) {
    const atMs = pausedMs + read * intervalMs;
    const waiting = pausesFrom(pauses, atMs);
    if (waiting <= 0) continue;
    const comes = pausesWithin(pauses, atMs - intervalMs + ttlMs, atMs + ttlMs) / waiting;
    const stays = pausesFrom(pauses, atMs + intervalMs) / waiting;
    later = Math.max(0, comes * savedByHit - cost + stays * later);
  }
  return later;
}
