import { normalizeModelName } from "../catalog/index.ts";
import { ttlMsOf } from "../context/economics/request-gaps.ts";
import { lookBackBlocks } from "../context/prefix/cache-entries.ts";
import type { BreakpointPlaces } from "../context/request/breakpoints.ts";
import type { ModelRequest } from "../spec/index.ts";
import { formerMessagesKey, messagesKey } from "./messages-key.ts";
import type { SessionParts } from "./session-parts.ts";
import { standingRequests } from "./standing-requests.ts";

export type CachedItemsParts = Pick<SessionParts, "state" | "head" | "clock" | "ttl">;

/** A request as it would be sent now. */
export interface SendableRequest {
  readonly request: ModelRequest;
  readonly places: BreakpointPlaces;
  /** How many it has. */
  readonly images: number;
}

/**
 * How many items at the beginning of a request the provider reads from its cache, by what the log says it has answered:
 * never more than it has, and the same after a restart.
 */
export function cachedItems(
  { state, head, clock, ttl }: CachedItemsParts,
  { request, places, images }: SendableRequest,
): number {
  const model = normalizeModelName(head.model);
  const key = messagesKey(request, images);
  const marks = [places.newest, places.former].filter((mark) => mark !== undefined);
  const isReached = (position: number) =>
    marks.some((mark) => position <= mark && mark - position < lookBackBlocks);
  for (const { position, atMs, cachedTokens, ...answered } of standingRequests(state)) {
    if (cachedTokens === 0 || clock.now() - atMs >= ttlMsOf(ttl) || !isReached(position)) continue;
    if (normalizeModelName(answered.model ?? head.model) !== model) continue;
    if (formerMessagesKey(head, request, state.items.slice(0, position + 1)) === key) return position + 1;
  }
  return 0;
}
