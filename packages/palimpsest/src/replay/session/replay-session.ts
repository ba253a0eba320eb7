import {
  createSession,
  createSessionState,
  lifetimeOf,
  loadLearnedGaps,
  loadLearnedRates,
  noFeatures,
  noMask,
  resolveConfig,
  type SessionState,
} from "@palimpsest/core/internal";
import {
  type Clock,
  type EventBody,
  fail,
  type Layer,
  type Prices,
  type Session,
  type Settings,
} from "@palimpsest/core/spec";
import type { CacheTtl } from "../cost/price-row.ts";
import { createMemoryLog, type MemoryLog } from "./memory-log.ts";
import { createMemoryStore } from "./memory-store.ts";
import type { ReplayHome } from "./replay-home.ts";

/** A session of the real engine, in memory, at the recorded times. */
export interface ReplaySession {
  readonly session: Session;
  readonly state: SessionState;
  readonly log: MemoryLog;
  readonly clock: ReplayClock;
  /** The lifetime that its requests begin to mark. */
  readonly ttl: CacheTtl;
}

export interface ReplaySessionOptions {
  readonly model: string;
  readonly startMs: number;
  /** `learned`: as the settings say, or as is cheaper for a user with the gaps that the home knows. */
  readonly ttl: CacheTtl | "learned";
  /** What it learns is stored here when it is closed. */
  readonly home: ReplayHome;
  readonly createLayers: (ttl: CacheTtl) => readonly Layer[];
  readonly settings?: Settings;
  /** The window of the model; absent: none is too small. */
  readonly windowTokens?: number;
  readonly onEvent: (event: EventBody) => void;
}

const sessionId = "replay";

/** Recordings came through a window of their own: unless a policy asks for one, none is too small. */
const unlimitedTokens = 10_000_000;

/** The cost of every request is known: nobody needs to be told of breaks. */
const unwatched = { "prefix-guard": false };

export async function openReplaySession(options: ReplaySessionOptions): Promise<ReplaySession> {
  const { model, startMs, home, settings = {}, windowTokens = unlimitedTokens, onEvent } = options;
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
  const rates = await loadLearnedRates(home.learned);
  const gaps = await loadLearnedGaps(home.learned, "interactive");
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
  const lifetime =
    options.ttl === "learned"
      ? lifetimeOf(config.value, state, gaps, onEvent)
      : { ttl: options.ttl, reason: "it was set", choose: () => undefined };
  const { capabilities: able } = config.value;
  const prices = catalog.prices(model).value;
  lifetime.choose({ capabilities: able, prices, promptTokens: able.minCachedPrefix, isWarm: false });
  const { ttl } = lifetime;
  const store = createMemoryStore();
  const log = createMemoryLog(clock.now, (sha256) => store.blobs.get(sessionId, sha256));
  let ids = 0;
  const { session, start } = createSession({
    id: sessionId,
    source: "main",
    cwd: "/",
    durability: "relaxed",
    configFor,
    forkParts: async () => fail("invalid-input", "A recording has no forks of its own."),
    head: { model, system: [], tools: [], traits: [], fields: {} },
    state,
    log,
    store,
    clock,
    ids: {
      next(prefix) {
        ids += 1;
        return `${prefix}_${ids}`;
      },
    },
    layers: options.createLayers(ttl),
    config: config.value,
    rates,
    gaps,
    lifetime,
    emit: onEvent,
    secrets: noMask,
  });
  await start();
  return { session, state, log, clock, ttl };
}

/** Shows the recorded time. Nothing ever waits for it. */
interface ReplayClock extends Clock {
  show(atMs: number): void;
}

export function createReplayClock(startMs: number): ReplayClock {
  let nowMs = startMs;
  return {
    show(atMs) {
      nowMs = atMs;
    },
    now: () => nowMs,
    monotonic: () => Math.max(0, nowMs - startMs),
    sleep: async () => undefined,
  };
}
