import type { SessionState } from "@palimpsest/core/internal";
import { isBlock, type ModelRequest, type ViewItem } from "@palimpsest/core/spec";
import type { SizeFit } from "../sizes/fit-sizes.ts";
import { estimatedTokens, forgetsThinking, isThinking } from "../sizes/prompt-content.ts";
import { type CacheInput, type CacheMark, maxCountedMarks } from "./cache-simulator.ts";
import type { CacheTtl } from "./price-row.ts";

/** A request's size, and how it looks to the cache. */
interface MeasuredRequest {
  readonly totalTokens: number;
  readonly input: Pick<CacheInput, "digestTo" | "tokensTo" | "marks" | "totalTokens">;
  /** Tokens of items behind a sequence number. */
  tokensAfter(seq: number): number;
}

interface MeasureOptions {
  readonly request: ModelRequest;
  readonly state: Pick<SessionState, "items" | "prefixDigest">;
  readonly fit: SizeFit;
  /** Tokens before the messages in all segments of the session: system and tools. */
  readonly sharedOverhead: number;
  readonly segment: number;
}

/** Before the items stand two blocks: what all segments share, and what only this segment has. */
const headBlocks = 2;

/** Measures the requests of one run, one after the other: what begins as the one before is not added up again. */
export function createRequestMeasure(): (options: MeasureOptions) => MeasuredRequest {
  const sums = createItemSums();
  return ({ request, state, fit, sharedOverhead, segment }) => {
    const { items } = state;
    const tokensOf = sums.read(items, forgetsThinking(request.model));
    const tokensTo = (position: number) => {
      if (position === 0) return Math.min(sharedOverhead, fit.overhead);
      return fit.overhead + fit.scale * tokensOf(position - headBlocks + 1);
    };
    const totalTokens = tokensTo(items.length + headBlocks - 1);
    return {
      totalTokens,
      input: {
        totalTokens,
        marks: cacheMarks(request, items.length),
        tokensTo,
        digestTo: (position) => digestTo(position, segment, state),
      },
      tokensAfter: (seq) => fit.scale * sumAfter(items, seq),
    };
  };
}

/** `read` gives the tokens of so many items from the beginning on, until it is called again. */
function createItemSums() {
  const known: ViewItem[] = [];
  /** Of all items before a position, and of the thinking among them. */
  const sums: number[] = [0];
  const thinking: number[] = [0];

  function add(item: ViewItem): void {
    const tokens = estimatedTokens(item.block);
    known.push(item);
    sums.push((sums.at(-1) as number) + tokens);
    thinking.push((thinking.at(-1) as number) + (isThinking(item.block) ? tokens : 0));
  }

  return {
    read(items: readonly ViewItem[], isForgetting: boolean): (count: number) => number {
      const shared = sharedLength(known, items);
      known.length = shared;
      sums.length = shared + 1;
      thinking.length = shared + 1;
      for (let at = shared; at < items.length; at += 1) add(items[at] as ViewItem);
      const turn = isForgetting ? Math.max(0, lastTurn(items)) : 0;
      return (count) => (sums[count] as number) - (thinking[Math.min(count, turn)] as number);
    },
  };
}

function sharedLength(known: readonly ViewItem[], items: readonly ViewItem[]): number {
  const different = known.findIndex((item, at) => item !== items[at]);
  return different === -1 ? Math.min(known.length, items.length) : different;
}

/** Where the newest message begins that is no result. */
function lastTurn(items: readonly ViewItem[]): number {
  return items.findLastIndex(({ role, block }) => role === "user" && !isBlock(block, "tool_result"));
}

function digestTo(position: number, segment: number, state: MeasureOptions["state"]): string {
  if (position === 0) return "shared";
  return position === 1
    ? `segment ${segment}`
    : `${segment} ${state.prefixDigest(position - headBlocks + 1)}`;
}

/** The API takes four markers; two of them are of the head. */
const markedInMessages = maxCountedMarks - headBlocks;

/**
 * The markers of a request, whose items are so many. The ends of the head are marked as the first marked block of the
 * messages is: longer lifetimes stand before shorter ones.
 */
function cacheMarks({ messages }: ModelRequest, items: number): readonly CacheMark[] {
  const marked: CacheMark[] = [];
  let position = headBlocks + items;
  for (let at = messages.length - 1; at >= 0 && marked.length < markedInMessages; at -= 1) {
    for (const block of [...(messages[at]?.content ?? [])].reverse()) {
      position -= 1;
      if ("cache_control" in block) marked.unshift({ position, ttl: ttlOf(block.cache_control) });
    }
  }
  const ttl = marked[0]?.ttl ?? "5m";
  return [{ position: 0, ttl }, { position: 1, ttl }, ...marked];
}

/** The API refuses a request in which a marker for an hour stands behind one for five minutes. */
export function isMisordered(marks: readonly CacheMark[]): boolean {
  return marks.some(({ ttl }, at) => ttl === "1h" && marks[at - 1]?.ttl === "5m");
}

function ttlOf(marker: unknown): CacheTtl {
  return (marker as { readonly ttl?: unknown } | null)?.ttl === "1h" ? "1h" : "5m";
}

function sumAfter(items: readonly ViewItem[], seq: number): number {
  let tokens = 0;
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index] as ViewItem;
    if (item.seq > seq) tokens += estimatedTokens(item.block);
  }
  return tokens;
}
