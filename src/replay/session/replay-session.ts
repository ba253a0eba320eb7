import { noFeatures } from "../../context/tokens/index.ts";
import { loadLearnedGaps } from "../../engine/learned-gaps.ts";
import { loadLearnedRates } from "../../engine/learned-rates.ts";
import { createSession } from "../../engine/session.ts";
import { resolveConfig } from "../../engine/session-config.ts";
import { createSessionState, type SessionState } from "../../engine/session-state.ts";
import { type EventBody, fail, type Layer, type Session } from "../../spec/index.ts";
import { createMemoryLog, type MemoryLog } from "./memory-log.ts";
import { createMemoryStore } from "./memory-store.ts";
import { createReplayClock, type ReplayClock } from "./replay-clock.ts";

/** A session of the real engine, in memory, at the recorded times. */
export interface ReplaySession {
  readonly session: Session;
  readonly state: SessionState;
  readonly log: MemoryLog;
  readonly clock: ReplayClock;
}

export interface ReplaySessionOptions {
  readonly model: string;
  readonly startMs: number;
  readonly ttl: "5m" | "1h";
  readonly layers: readonly Layer[];
  readonly onEvent: (event: EventBody) => void;
}

/**
 * No window is too small and no thinking is bound to its prefix: recordings came through a window of their own, and
 * have lost their signatures.
 */
const capabilities = { contextWindow: 10_000_000, prefixBoundThinking: false };

export async function openReplaySession(options: ReplaySessionOptions): Promise<ReplaySession> {
  const { model, startMs, ttl, layers, onEvent } = options;
  const clock = createReplayClock(startMs);
  const configFor = (name: string) =>
    resolveConfig({
      model: name,
      options: { catalog: { capabilities: { "*": capabilities } } },
      environment: {},
      clock,
    });
  const config = await configFor(model);
  if (!config.ok) throw config.error;
  const { catalog } = config.value;
  const rates = await loadLearnedRates(undefined);
  const state = createSessionState({
    pricesOf: (name = model) => catalog.prices(name).value,
    observe: (name = model, features, tokens) => rates.observe(name, features, tokens),
  });
  state.begin({ bytes: "", features: noFeatures });
  const log = createMemoryLog(clock.now);
  let ids = 0;
  const { session, start } = createSession({
    id: "replay",
    source: "main",
    isFork: false,
    cwd: "/",
    durability: "relaxed",
    configFor,
    forkParts: async () => fail("invalid-input", "A recording has no forks of its own."),
    head: { model, system: [], tools: [], traits: [], fields: {} },
    state,
    log,
    store: createMemoryStore(),
    clock,
    ids: {
      next(prefix) {
        ids += 1;
        return `${prefix}_${ids}`;
      },
    },
    layers,
    config: config.value,
    rates,
    gaps: await loadLearnedGaps(undefined),
    ttl,
    emit: onEvent,
  });
  await start();
  return { session, state, log, clock };
}
