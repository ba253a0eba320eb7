import { newestMarkable } from "../../view/request/breakpoints.ts";
import type { SessionState } from "../session-state.ts";

/** The newest marked block of a request, and the digest of everything up to it. */
export interface MarkedPrefix {
  readonly position: number;
  readonly digest: string;
}

/**
 * Where the request that the response at a position answers had its newest marker. Where the view no longer begins with
 * that request, the place is the one it would have had right before the response, and the digest fits nothing.
 */
export function answeredPrefix(state: SessionState, position: number): MarkedPrefix | null {
  const item = state.items[position];
  const digest = item && state.messageOf(item.entry)?.prefixDigest;
  if (!item || digest === undefined) return null;
  const start = state.items.findIndex(
    (one) => one.entry === item.entry || (one.response !== undefined && one.response === item.response),
  );
  let end = start;
  while (end > 0 && state.prefixDigest(end) !== digest) end -= 1;
  if (end === 0) return { position: start - 1, digest };
  const marked = newestMarkable(state.items.slice(0, end));
  return { position: marked, digest: state.prefixDigest(marked + 1) };
}
