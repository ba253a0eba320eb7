import type { ViewItem } from "../../spec/index.ts";
import { newestMarkable } from "../../view/request/breakpoints.ts";
import type { SessionState } from "../session-state.ts";

/** A marked block, and the digest of everything up to it. */
export interface MarkedPrefix {
  readonly position: number;
  readonly digest: string;
}

/** The newest marked block of a request that was answered. */
export interface AnsweredPrefix extends MarkedPrefix {
  /** The response, or its newest part. */
  readonly entry: string;
  readonly seq: number;
  /** Whether the view still begins with the request; if not, the position is the one right before the response. */
  readonly stands: boolean;
  /** Where an edit had put its older marker, while that still stands. */
  readonly older?: MarkedPrefix;
}

type AnsweredState = Pick<SessionState, "items" | "messageOf" | "prefixDigest">;

/**
 * Where the requests that the responses of the view answered had their newest markers, the newest request first. It is
 * read from the log alone, so that a session that is opened again knows what the one before it knew.
 */
export function* answeredPrefixes(state: AnsweredState): Generator<AnsweredPrefix> {
  const { items } = state;
  let lengths: ReadonlyMap<string, number> | undefined;

  /** How many items the request had; mostly it ended right before its response. */
  function lengthOf(digest: string, start: number): number | undefined {
    for (let length = start; length > 0 && length > start - nearItems; length -= 1)
      if (state.prefixDigest(length) === digest) return length;
    lengths ??= new Map(items.map((_, position) => [state.prefixDigest(position + 1), position + 1]));
    const length = lengths.get(digest);
    return length !== undefined && length <= start ? length : undefined;
  }

  let end = items.length;
  while (end > 0) {
    end -= 1;
    const item = items[end] as ViewItem;
    if (item.role !== "assistant") continue;
    end = startOf(items, end);
    const { entry, seq } = item;
    const { prefixDigest: digest, markedDigest } = state.messageOf(entry) ?? {};
    if (digest === undefined) continue;
    const length = lengthOf(digest, end);
    const marked = markedDigest === undefined ? undefined : lengthOf(markedDigest, end);
    const older =
      marked !== undefined && markedDigest !== undefined
        ? { older: { position: marked - 1, digest: markedDigest } }
        : {};
    if (length === undefined) yield { entry, seq, stands: false, position: end - 1, digest, ...older };
    else {
      const position = newestMarkable(items, length);
      yield { entry, seq, stands: true, position, digest: state.prefixDigest(position + 1), ...older };
    }
  }
}

const nearItems = 8;

/** After a part was compacted or taken back, an earlier request's marker is the newest that still stands. */
export const rememberedRequests = 64;

interface FormerMark {
  readonly position: number;
  /** The newest request does not stand any more: this is an earlier one's. */
  readonly isOlder: boolean;
}

/** The newest block that had the newest marker of an answered request and still stands where it stood. */
export function formerMark(state: AnsweredState): FormerMark | null {
  let looked = 0;
  for (const { stands, position } of answeredPrefixes(state)) {
    if (stands && position >= 0) return { position, isOlder: looked > 0 };
    looked += 1;
    if (looked === rememberedRequests) return null;
  }
  return null;
}

/** Where the response begins that an item is a part of: its blocks may be several entries, with results between. */
function startOf(items: readonly ViewItem[], at: number): number {
  const { entry, response } = items[at] as ViewItem;
  let start = at;
  for (let position = at - 1; position >= 0; position -= 1) {
    const item = items[position] as ViewItem;
    const isSame = item.entry === entry || (response !== undefined && item.response === response);
    if (isSame) start = position;
    else if (item.role === "assistant") break;
  }
  return start;
}
