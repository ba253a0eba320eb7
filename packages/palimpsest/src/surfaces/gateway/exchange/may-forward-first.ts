import type { Match } from "../match/decide-match.ts";

/** What is known of a request before its session is looked at. */
export interface ForwardFacts {
  readonly kind: Match["kind"];
  readonly bytes: number;
  /** Tokens that the model takes, where that is known for certain. */
  readonly window?: number;
  readonly isBound: boolean;
}

/** No result in a body as small as this is large enough to go to disk. */
const maxNewBytes = 45_000;
/** What fits into any window there is. */
const alwaysFits = 8_000;
/** Texts of every language have more bytes than this a token. */
const minBytesPerToken = 2;
/** Compaction begins above this part of every window. */
const quietPart = 0.5;

/**
 * Whether a request of a conversation that nothing was decided about can go out before anybody looks at it: it is so
 * small that no layer could act. Thinking that is bound to what was sent asks for knowing what that is. Pure.
 */
export function mayForwardFirst({ kind, bytes, window, isBound }: ForwardFacts): boolean {
  const isNew = kind === "first" || kind === "unknown" || kind === "branch";
  if (!isNew || isBound || bytes > maxNewBytes) return false;
  return bytes < (window === undefined ? alwaysFits : window * quietPart * minBytesPerToken);
}
