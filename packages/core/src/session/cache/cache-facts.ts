import { normalizeModelName } from "../../catalog/index.ts";
import type { CacheFacts } from "../../spec/index.ts";
import { shortTtlMs, ttlMsOf, unknownTtlMs } from "../../view/economics/request-gaps.ts";
import type { CacheLife } from "../../view/prefix/prefix-guard.ts";
import type { SessionParts } from "../session-parts.ts";

type CacheParts = Pick<SessionParts, "state" | "head" | "config" | "ttl">;

/**
 * How long the provider keeps what nobody asks for: as responses say that they wrote it, else as the session's markers
 * ask where the provider heeds them; and no less than the longest gap after which something was still read. Whether
 * markers are heeded, responses tell; before they do, what is known of the model.
 */
export function cacheLife(parts: CacheParts): CacheLife {
  const { caching, warmGapMs = -1 } = isOtherModel(parts) ? {} : parts.state.statistics;
  const isMarked = caching === undefined ? parts.config.capabilities.cacheMarkers : caching !== "automatic";
  const marked = caching === "5m" || caching === "1h" ? caching : parts.ttl;
  const toldMs = isMarked ? ttlMsOf(marked) : unknownTtlMs;
  return {
    believedMs: Math.max(toldMs, warmGapMs + 1),
    sureMs: isMarked ? toldMs : shortTtlMs,
    isKnown: isMarked || warmGapMs >= toldMs,
  };
}

/** What is known of the provider's cache now: by the model asked, what usages said, and the clock, in that order. */
export function cacheFacts(parts: CacheParts, nowMs: number): CacheFacts {
  const { respondedAtMs } = parts.state.statistics;
  const { believedMs, isKnown } = cacheLife(parts);
  const usual = {
    ...(isKnown && { ttlMs: believedMs }),
    ...(parts.ttl === "1h" && { isLongMarked: true }),
  };
  if (respondedAtMs === undefined) return { state: "cold", ...usual };
  const idleMs = Math.max(0, nowMs - respondedAtMs);
  if (isOtherModel(parts)) return { state: "cold", ...usual, idleMs, isOtherModel: true };
  return { state: idleMs < believedMs ? "warm" : "cold", ...usual, idleMs };
}

/** Whether the session asks another model than it asked for the newest response. Names of answers play no part. */
export function isOtherModel({ state, head }: Pick<SessionParts, "state" | "head">): boolean {
  const { respondedFor = head.model } = state.statistics;
  if (respondedFor === head.model) return false;
  return normalizeModelName(respondedFor) !== normalizeModelName(head.model);
}
