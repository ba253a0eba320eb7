import { pricesAt } from "../../catalog/index.ts";
import { type KeepWarmReport, type Note, ok, type Result } from "../../spec/index.ts";
import {
  decideKeepWarm,
  type KeepWarmDecision,
  type KeepWarmPrice,
  missDollars,
} from "../../view/economics/keep-warm.ts";
import { keepWarmName } from "../../view/statistics.ts";
import { promptTokens } from "../../view/tokens/index.ts";
import type { SessionHandle } from "../loop-port.ts";
import type { SessionParts } from "../session-parts.ts";
import { type KeptRequest, mayBeCharged, refuseRead } from "./kept-request.ts";
import { keepWarmLimits, keepWarmOf } from "./settings.ts";

/** When the cache is to be read next so that it stays warm, or why it is not. */
export type NextRead =
  /** `mostDollars`: the price where it misses. */
  | { readonly due: true; readonly atMs: number; readonly mostDollars: number }
  /** `isOff`: nobody has turned it on. */
  | { readonly due: false; readonly reason: string; readonly isOff?: true };

/** Reads the prompt of the newest request again, so that the provider keeps it in its cache. */
export interface KeepWarm {
  next(): NextRead;
  /** One read now, whether it is expected to pay or not, within the budget. */
  read(signal: AbortSignal): Promise<Result<KeepWarmReport>>;
}

export interface KeepWarmParts {
  readonly parts: () => SessionParts;
  readonly handle: () => SessionHandle;
  /** The newest answered request, or why it cannot be read. */
  readonly kept: () => Result<KeptRequest>;
  readonly note: (note: Note, atMs: number) => Promise<Result<void>>;
  /** The cache was read just now. */
  readonly touch: (nowMs: number) => void;
}

/** The newest answered request, and what reading it costs. */
interface KeptPrompt {
  readonly request: KeptRequest;
  readonly usedAtMs: number;
  readonly price: Omit<KeepWarmPrice, "pauses">;
  readonly dollarsLeft: number;
}

/** Of what the newest request left in the cache, as much must be read for a hit. */
const provingPart = 0.9;

export function createKeepWarm({ parts, handle, kept, note, touch }: KeepWarmParts): KeepWarm {
  let pause = { askedAtMs: 0, reads: 0 };
  /** Why nothing more is read until the next request. */
  let stopped: { readonly askedAtMs: number; readonly reason: string } | undefined;
  let isReading = false;

  function prompt(): Result<KeptPrompt> {
    const { state, head, config, clock } = parts();
    const found = kept();
    if (!found.ok) return found;
    const request = found.value;
    const { usage, askedAtMs, ttl, dearestTtl, lifeMs, answerTokens } = request;
    const { forkDollars, keptAtMs = askedAtMs } = state.statistics;
    const usedAtMs = Math.max(askedAtMs, keptAtMs);
    if (clock.now() - usedAtMs >= lifeMs)
      return refuseRead("conflict", "The cache is cold already: a read would write all of it.");
    if (pause.askedAtMs !== askedAtMs) pause = { askedAtMs, reads: 0 };
    const tokens = promptTokens(usage);
    const prices = pricesAt(config.catalog.prices(head.model).value, tokens);
    const spent = forkDollars?.[keepWarmName] ?? 0;
    return ok({
      request,
      usedAtMs,
      price: { ttl, prices, promptTokens: tokens, answerTokens, ...(dearestTtl && { dearestTtl }) },
      dollarsLeft: Math.max(0, keepWarmOf(config.settings).dollarsPerSession - spent),
    });
  }

  function decide({
    price,
    request: { askedAtMs },
    usedAtMs,
    dollarsLeft,
  }: KeptPrompt): KeepWarmDecision & { atMs: number } {
    const { config, gaps } = parts();
    const limits = keepWarmLimits(config.settings, price.ttl);
    if (!limits)
      return { due: false, why: "no-saving", reason: "the interval is longer than the lifetime", atMs: 0 };
    const atMs = usedAtMs + limits.intervalMs;
    const question = {
      ...price,
      ...limits,
      pauses: gaps.pauses.current(),
      readsDone: pause.reads,
      dollarsLeft,
    };
    return { ...decideKeepWarm({ ...question, pausedMs: atMs - askedAtMs }), atMs };
  }

  async function readOnce(
    { request, price }: KeptPrompt,
    signal: AbortSignal,
  ): Promise<Result<KeepWarmReport>> {
    const { clock } = parts();
    const { askedAtMs } = request;
    const askedMs = clock.now();
    const answered = await request.read(signal);
    if (!answered.ok) {
      stopped = { askedAtMs, reason: answered.error.message };
      if (mayBeCharged(answered.error)) await noteUnheard(price, askedMs);
      return answered;
    }
    const { usage, billed = usage, model, id } = answered.value;
    const dollars = handle().dollars(billed, model);
    const left = request.usage.cacheRead + request.usage.cacheCreation;
    const isHit = usage.cacheRead > 0 && usage.cacheRead >= left * provingPart;
    pause = { askedAtMs, reads: pause.reads + 1 };
    if (isHit) touch(askedMs);
    else stopped = { askedAtMs, reason: "a read did not find the prompt in the cache" };
    const noted = await note(
      { topic: "fork", fork: id, forkKind: keepWarmName, usage: billed, dollars },
      askedMs,
    );
    if (!noted.ok) return noted;
    const { reads } = pause;
    parts().emit({ type: "keep-warm", isHit, usage: billed, dollars, reads });
    const spentDollars = parts().state.statistics.forkDollars?.[keepWarmName] ?? dollars;
    return ok({ isHit, usage: billed, dollars, spentDollars });
  }

  /** It may have been answered, and charged, though nobody heard of it: the most that it can have cost is counted. */
  async function noteUnheard(price: KeptPrompt["price"], askedMs: number): Promise<void> {
    const dollars = missDollars(price);
    await note({ topic: "fork", fork: "interrupted", forkKind: keepWarmName, dollars }, askedMs);
  }

  return {
    next() {
      if (!keepWarmOf(parts().config.settings).enabled)
        return { due: false, isOff: true, reason: "“keepWarm.enabled” is off" };
      const found = prompt();
      if (!found.ok) return { due: false, reason: found.error.message };
      if (stopped?.askedAtMs === found.value.request.askedAtMs) return { due: false, reason: stopped.reason };
      const { atMs, ...decision } = decide(found.value);
      if (!decision.due) return { due: false, reason: decision.reason };
      return { due: true, atMs, mostDollars: missDollars(found.value.price) };
    },
    async read(signal) {
      if (isReading)
        return refuseRead(
          "conflict",
          "A read is under way already.",
          "Wait for the answer, or for the next one.",
        );
      const found = prompt();
      if (!found.ok) return found;
      const { price, dollarsLeft } = found.value;
      const worst = missDollars(price);
      if (worst > dollarsLeft)
        return refuseRead(
          "over-budget",
          `A read that misses would cost $${worst.toFixed(2)}, and $${dollarsLeft.toFixed(2)} are left for reads.`,
          "Raise “keepWarm.dollarsPerSession”.",
        );
      isReading = true;
      try {
        return await readOnce(found.value, signal);
      } finally {
        isReading = false;
      }
    },
  };
}
