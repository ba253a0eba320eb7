import {
  createSession,
  createSessionState,
  loadLearnedGaps,
  loadLearnedRates,
  noFeatures,
  noMask,
  resolveConfig,
  type SessionState,
} from "@palimpsest/core/internal";
import {
  type EventBody,
  fail,
  type Layer,
  type Prices,
  type Session,
  type Settings,
} from "@palimpsest/core/spec";
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
  readonly settings?: Settings;
  /** The window of the model; absent: none is too small. */
  readonly windowTokens?: number;
  readonly onEvent: (event: EventBody) => void;
}

/** Recordings came through a window of their own: unless a policy asks for one, none is too small. */
const unlimitedTokens = 10_000_000;

/** What every request costs is known: nobody needs to be told of breaks. */
const unwatched = { "prefix-guard": false };

export async function openReplaySession(options: ReplaySessionOptions): Promise<ReplaySession> {
  const { model, startMs, ttl, layers, settings = {}, windowTokens = unlimitedTokens, onEvent } = options;
  /** No thinking is bound to its prefix: recordings have lost their signatures. */
  const capabilities = { contextWindow: windowTokens, prefixBoundThinking: false };
  const clock = createReplayClock(startMs);
  const configFor = (name: string) =>
    resolveConfig({
      model: name,
      options: {
        ...settings,
        flags: { ...unwatched, ...settings.flags },
        catalog: { capabilities: { "*": capabilities } },
      },
      environment: {},
      clock,
    });
  const config = await configFor(model);
  if (!config.ok) throw config.error;
  const { catalog } = config.value;
  const rates = await loadLearnedRates(undefined);
  const known = new Map<string, Prices>();
  const state = createSessionState({
    pricesOf(answered, name = answered ?? model) {
      const prices = known.get(name) ?? catalog.prices(name).value;
      known.set(name, prices);
      return prices;
    },
    observe: (name = model, features, tokens) => rates.observe(name, features, tokens),
  });
  state.begin({ bytes: "", features: noFeatures });
  const log = createMemoryLog(clock.now);
  let ids = 0;
  const { session, start } = createSession({
    id: "replay",
    source: "main",
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
    secrets: noMask,
  });
  await start();
  return { session, state, log, clock };
}
