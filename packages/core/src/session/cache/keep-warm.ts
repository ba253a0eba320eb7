import { pricesAt } from "../../catalog/index.ts";
import {
  type ErrorCode,
  fail,
  type KeepWarmReport,
  type Message,
  type ModelRequest,
  type Note,
  ok,
  type Result,
  type Usage,
} from "../../spec/index.ts";
import {
  decideKeepWarm,
  type KeepWarmDecision,
  type KeepWarmPrice,
  missDollars,
  readDollars,
} from "../../view/economics/keep-warm.ts";
import { keepWarmName, lastUsedMs } from "../../view/statistics.ts";
import { promptTokens } from "../../view/tokens/index.ts";
import { withoutLongSuffix } from "../../view/window/window.ts";
import type { SessionHandle } from "../loop-port.ts";
import type { SessionParts } from "../session-parts.ts";
import { answeredPrefixes } from "./answered-prefix.ts";
import { cacheLife } from "./cache-watch.ts";
import { keepWarmLimits, keepWarmOf } from "./settings.ts";

/** When the cache is to be read next so that it stays warm, or why it is not. */
export type NextRead =
  | { readonly due: true; readonly atMs: number }
  /** `isOff`: nobody has turned it on. */
  | { readonly due: false; readonly reason: string; readonly isOff?: true };

/** Reads the prompt of the newest request again, so that the provider keeps it in its cache. */
export interface KeepWarm {
  /** A request was made. */
  sent(request: ModelRequest): void;
  next(): NextRead;
  /** One read now, whether it is expected to pay or not, within the budget. */
  read(signal: AbortSignal): Promise<Result<KeepWarmReport>>;
}

export interface KeepWarmParts {
  readonly parts: () => SessionParts;
  readonly handle: () => SessionHandle;
  readonly note: (note: Note, atMs: number) => Promise<Result<void>>;
  /** The cache was read just now. */
  readonly touch: (nowMs: number) => void;
}

/** The newest answered request: what it left in the cache, and what reading it costs. */
interface KeptPrompt {
  readonly request: ModelRequest;
  readonly usage: Usage;
  readonly usedAtMs: number;
  readonly askedAtMs: number;
  readonly price: Omit<KeepWarmPrice, "pauses">;
  readonly dollarsLeft: number;
}

/** Of what the newest request left in the cache, as much must be read for a hit. */
const provingPart = 0.9;

const soon = "Wait for the answer, or for the next one.";

export function createKeepWarm({ parts, handle, note, touch }: KeepWarmParts): KeepWarm {
  let newest: ModelRequest | undefined;
  let pause = { askedAtMs: 0, reads: 0 };
  /** Why nothing more is read until the next request. */
  let stopped: { readonly askedAtMs: number; readonly reason: string } | undefined;
  let isReading = false;

  function prompt(): Result<KeptPrompt> {
    const { state, head, config, lifetime, clock } = parts();
    const { statistics } = state;
    const { askedAtMs } = statistics;
    const usedAtMs = lastUsedMs(statistics);
    const [prefix] = answeredPrefixes(state);
    const message: Message | undefined = prefix && state.messageOf(prefix.entry);
    if (!newest || askedAtMs === undefined || usedAtMs === undefined || !message?.usage)
      return refuse(
        "not-found",
        "No request of this process was answered yet: there is nothing to keep warm.",
        soon,
      );
    if (!prefix?.stands)
      return refuse(
        "conflict",
        "The conversation has changed since the newest request: the next one writes anew.",
      );
    if (newest.model !== withoutLongSuffix(head.model))
      return refuse("conflict", "The session asks another model than the newest request did.");
    const life = cacheLife(parts());
    if (clock.now() - usedAtMs >= life.believedMs)
      return refuse("conflict", "The cache is cold already: a read would write all of it.");
    if (compacts(newest))
      return refuse("conflict", "The newest request may be compacted by the API: it is not sent twice.");
    if (pause.askedAtMs !== askedAtMs) pause = { askedAtMs, reads: 0 };
    const tokens = promptTokens(message.usage);
    const prices = pricesAt(config.catalog.prices(head.model).value, tokens);
    const spent = statistics.forkDollars?.[keepWarmName] ?? 0;
    return ok({
      request: { ...newest, max_tokens: shortestAnswer(newest) },
      usage: message.usage,
      usedAtMs,
      askedAtMs,
      price: { ttl: lifetime.ttl, prices, promptTokens: tokens, answerTokens: shortestAnswer(newest) },
      dollarsLeft: Math.max(0, keepWarmOf(config.settings).dollarsPerSession - spent),
    });
  }

  function decide({
    price,
    askedAtMs,
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

  async function askOnce(kept: KeptPrompt, signal: AbortSignal): Promise<Result<KeepWarmReport>> {
    const { loop, clock } = parts();
    if (!loop?.ask) return noAsker();
    const askedMs = clock.now();
    const answered = await loop.ask(handle(), kept.request, signal, { tries: 1 });
    if (!answered.ok) {
      stopped = { askedAtMs: kept.askedAtMs, reason: answered.error.message };
      return answered.error.code === "aborted" ? interrupted(kept, askedMs, answered) : answered;
    }
    const { usage, billed = usage, model, id } = answered.value;
    const dollars = handle().dollars(billed, model);
    const left = kept.usage.cacheRead + kept.usage.cacheCreation;
    const isHit = usage.cacheRead > 0 && usage.cacheRead >= left * provingPart;
    pause = { askedAtMs: kept.askedAtMs, reads: pause.reads + 1 };
    if (isHit) touch(askedMs);
    else stopped = { askedAtMs: kept.askedAtMs, reason: "a read did not find the prompt in the cache" };
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

  /** It may have been answered, and charged, though nobody heard of it. */
  async function interrupted(
    { price }: KeptPrompt,
    askedMs: number,
    error: Result<never>,
  ): Promise<Result<KeepWarmReport>> {
    const dollars = readDollars(price);
    await note({ topic: "fork", fork: "interrupted", forkKind: keepWarmName, dollars }, askedMs);
    return error;
  }

  return {
    sent(request) {
      newest = request;
    },
    next() {
      if (!keepWarmOf(parts().config.settings).enabled)
        return { due: false, isOff: true, reason: "“keepWarm.enabled” is off" };
      const kept = prompt();
      if (!kept.ok) return { due: false, reason: kept.error.message };
      if (stopped?.askedAtMs === kept.value.askedAtMs) return { due: false, reason: stopped.reason };
      const { atMs, ...decision } = decide(kept.value);
      return decision.due ? { due: true, atMs } : { due: false, reason: decision.reason };
    },
    async read(signal) {
      if (isReading) return refuse("conflict", "A read is under way already.", soon);
      const kept = prompt();
      if (!kept.ok) return kept;
      const { price, dollarsLeft } = kept.value;
      const worst = missDollars(price);
      if (worst > dollarsLeft)
        return refuse(
          "over-budget",
          `A read that misses would cost $${worst.toFixed(2)}, and $${dollarsLeft.toFixed(2)} are left for reads.`,
          "Raise “keepWarm.dollarsPerSession”.",
        );
      isReading = true;
      try {
        return await askOnce(kept.value, signal);
      } finally {
        isReading = false;
      }
    },
  };
}

/** The prefix is the same to the byte, thinking included: its budget is the least that an answer may have. */
function shortestAnswer({ thinking }: ModelRequest): number {
  const { type, budget_tokens: budget } = (thinking ?? {}) as {
    readonly type?: unknown;
    readonly budget_tokens?: unknown;
  };
  return type === "enabled" && typeof budget === "number" ? budget + 1 : 1;
}

/** Whether the API may compact the conversation on the way to an answer: that is no read. */
function compacts(request: ModelRequest): boolean {
  const { edits = [] } = (request.context_management ?? {}) as {
    readonly edits?: readonly { readonly type?: unknown }[];
  };
  return edits.some(({ type }) => typeof type === "string" && type.startsWith("compact_"));
}

function refuse(code: ErrorCode, message: string, fix?: string): Result<never> {
  return fail(code, message, fix === undefined ? {} : { fix });
}

function noAsker(): Result<never> {
  return refuse(
    "no-model",
    "This session only keeps a context: nothing in it asks a model.",
    "Open it with “openSession” of the package itself.",
  );
}
