import type { SessionState } from "../../engine/session-state.ts";
import type { ModelRequest, ViewItem } from "../../spec/index.ts";
import { estimatedTokens } from "../sizes/estimated-tokens.ts";
import type { SizeFit } from "../sizes/fit-sizes.ts";
import type { CacheQuestion } from "./cache-simulator.ts";

/** A request's size, and how it looks to the cache. */
export interface MeasuredRequest {
  readonly totalTokens: number;
  readonly question: Pick<CacheQuestion, "digestTo" | "tokensTo" | "breakpoints" | "totalTokens">;
  /** Tokens of items behind a sequence number. */
  tokensAfter(seq: number): number;
}

export interface MeasureOptions {
  readonly request: ModelRequest;
  readonly state: Pick<SessionState, "items" | "prefixDigest">;
  readonly fit: SizeFit;
  /** What all segments of the session have before their messages: system and tools. */
  readonly sharedOverhead: number;
  readonly segment: number;
}

/** Before the items stand two blocks: what all segments share, and what only this segment has. */
const headBlocks = 2;

export function measureRequest(options: MeasureOptions): MeasuredRequest {
  const { request, state, fit, sharedOverhead, segment } = options;
  const { items } = state;
  const ends = new Float64Array(items.length + headBlocks);
  ends[0] = Math.min(sharedOverhead, fit.overhead);
  ends[1] = fit.overhead;
  for (const [index, { block }] of items.entries())
    ends[index + headBlocks] = (ends[index + headBlocks - 1] as number) + fit.scale * estimatedTokens(block);
  const totalTokens = ends.at(-1) as number;
  return {
    totalTokens,
    question: {
      totalTokens,
      breakpoints: [0, 1, ...markedPositions(request).map((position) => position + headBlocks)],
      tokensTo: (position) => ends[position] as number,
      digestTo: (position) => digestTo(position, segment, state),
    },
    tokensAfter: (seq) => fit.scale * sumAfter(items, seq),
  };
}

function digestTo(position: number, segment: number, state: MeasureOptions["state"]): string {
  if (position === 0) return "shared";
  return position === 1
    ? `segment ${segment}`
    : `${segment} ${state.prefixDigest(position - headBlocks + 1)}`;
}

/** Positions among the items of the blocks that the engine has marked. */
function markedPositions({ messages }: ModelRequest): readonly number[] {
  const marked: number[] = [];
  let position = 0;
  for (const { content } of messages) {
    for (const block of content) {
      if ("cache_control" in block) marked.push(position);
      position += 1;
    }
  }
  return marked;
}

function sumAfter(items: readonly ViewItem[], seq: number): number {
  let tokens = 0;
  for (let index = items.length - 1; index >= 0; index -= 1) {
    const item = items[index] as ViewItem;
    if (item.seq > seq) tokens += estimatedTokens(item.block);
  }
  return tokens;
}
