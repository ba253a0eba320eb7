import { normalizeModelName } from "../catalog/index.ts";
import { ttlMsOf } from "../context/economics/request-gaps.ts";
import { type Features, padEstimate } from "../context/tokens/index.ts";
import type { CacheFacts, Facts, LayerId, SessionStatistics } from "../spec/index.ts";
import type { LearnedRates } from "./learned-rates.ts";
import type { RequestHead } from "./request-head.ts";
import type { SessionParts } from "./session-parts.ts";
import { stateHead } from "./state-head.ts";

/** Everything a layer may know besides the view, as it is now. */
export function currentFacts(
  parts: Omit<SessionParts, "surroundings">,
  runningTasks: readonly LayerId[],
): Facts {
  const { clock, head, config, state } = parts;
  const nowMs = clock.now();
  const { window, effective, auto, warning, error, blocking } = config.thresholds;
  return {
    nowMs,
    model: head.model,
    source: parts.source,
    capabilities: config.capabilities,
    prices: config.catalog.prices(head.model).value,
    settings: { ...config.settings, flags: config.flags.values, switches: config.switches },
    cache: cacheFacts(state.statistics, head.model, nowMs, ttlMsOf(parts.ttl)),
    runningTasks,
    statistics: state.statistics,
    tools: head.traits,
    thresholds: { window, effective, auto, warning, error, blocking },
    request: head.fields,
    expectedRequests: parts.gaps.requestsLeft(parts.ttl),
    headTokens: headTokensOf(head, parts.rates),
    compaction: state.compactions,
    canFork: parts.loop !== undefined,
  };
}

const headFeatures = new WeakMap<RequestHead, Features>();

/** As the session counts what is before the messages. A head that is the same object has not changed. */
function headTokensOf(head: RequestHead, { calibration }: LearnedRates): number {
  const features = headFeatures.get(head) ?? stateHead(head.system, head.tools).features;
  headFeatures.set(head, features);
  const { tokens, source } = calibration.estimate(head.model, features);
  return source === "plain" ? padEstimate(tokens) : tokens;
}

/** A cache entry lives for its time to live from its last use on: at that very moment it is gone. */
export function cacheFacts(
  { respondedAtMs, respondedBy }: SessionStatistics,
  model: string,
  nowMs: number,
  ttlMs: number,
): CacheFacts {
  if (respondedAtMs === undefined) return { state: "cold", ttlMs };
  const idleMs = Math.max(0, nowMs - respondedAtMs);
  const isSameModel =
    respondedBy === undefined || normalizeModelName(respondedBy) === normalizeModelName(model);
  return { state: isSameModel && idleMs < ttlMs ? "warm" : "cold", ttlMs, idleMs };
}
