import { newestMarkable } from "../context/request/breakpoints.ts";
import type { AnsweredRequest } from "./answered-requests.ts";
import type { SessionState } from "./session-state.ts";

/** An answered request that the view still begins with, to the byte. */
export interface StandingRequest extends AnsweredRequest {
  /** Of the item that had its newest marker. */
  readonly position: number;
}

/**
 * The longest first. They are read from the log and from nothing else, so that a session that is opened again marks and
 * repeats what it did before.
 */
export function* standingRequests(
  state: Pick<SessionState, "items" | "prefixDigest" | "answeredRequest">,
): Generator<StandingRequest> {
  const { items } = state;
  for (let end = items.length; end > 0; end -= 1) {
    const answered = state.answeredRequest(state.prefixDigest(end));
    const position = answered ? newestMarkable(items.slice(0, end)) : -1;
    if (answered && position >= 0) yield { ...answered, position };
  }
}

/** Where the longest of them had its newest marker; `null` without one. */
export function formerMark(state: Parameters<typeof standingRequests>[0]): number | null {
  for (const { position } of standingRequests(state)) return position;
  return null;
}
