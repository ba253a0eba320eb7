import { promptTokens, type SessionState } from "@palimpsest/core/internal";
import {
  type Capabilities,
  isBlock,
  type ModelRequest,
  type Prepared,
  type Usage,
  type ViewItem,
} from "@palimpsest/core/spec";
import type { RecordedRequest } from "../recorded-session.ts";
import type { RunTally } from "../run-tally.ts";
import type { SegmentSizes } from "../sizes/calibrate-session.ts";
import type { SizeFit } from "../sizes/fit-sizes.ts";
import { estimatedTokens, forgetsThinking, isThinking } from "../sizes/prompt-content.ts";
import type { CacheInput, CacheSimulator, CacheUse } from "./cache-simulator.ts";

/** Pays for the requests of a run. */
export interface RequestMeter {
  /** What the request costs is known once its output is: the function given back says so, and tells the usage. */
  measure(sent: SentRequest): (output: number) => Usage;
}

export interface SentRequest {
  readonly recorded: RecordedRequest;
  readonly prepared: Prepared;
  readonly sizes: SegmentSizes;
  readonly nowMs: number;
  /** Sequence number of the newest entry. */
  readonly lastSeq: number;
  /** Why the cache is of no use to it, where the policy has nothing to do with it. */
  readonly cause: "idle" | "recorded" | null;
  /** The policy has decided something since the request before. */
  readonly hasDecided: boolean;
}

export interface RequestMeterParts {
  readonly state: Pick<SessionState, "items" | "prefixDigest">;
  readonly cache: CacheSimulator;
  readonly capabilitiesOf: (model: string) => Capabilities;
  readonly tally: RunTally;
  readonly sharedOverhead: number;
  /** See `Policy`. */
  readonly chargesRecordedUsage?: boolean;
  readonly onPaid?: (paid: PaidRequest) => void;
}

export interface PaidRequest {
  readonly index: number;
  readonly use: CacheUse;
  readonly output: number;
  readonly isPolicyBreak: boolean;
}

export function createRequestMeter(parts: RequestMeterParts): RequestMeter {
  const { state, cache, capabilitiesOf, tally, sharedOverhead, chargesRecordedUsage = false, onPaid } = parts;
  const measureRequest = createRequestMeasure();
  let formerSeq = 0;
  let formerBlocks = 0;

  return {
    measure({ recorded, prepared, sizes, nowMs, lastSeq, cause, hasDecided }) {
      const { fit, segment, excluded } = sizes;
      const { model } = recorded;
      const measured = measureRequest({ request: prepared.request, state, fit, sharedOverhead, segment });
      const { minCachedPrefix: minTokens, contextWindow } = capabilitiesOf(model);
      const simulated = cache.use({ ...measured.input, atMs: nowMs, model, minTokens });
      const use = (chargesRecordedUsage && recordedUse(recorded)) || simulated;
      const isCounted = excluded === undefined;
      const isChanged = prepared.report.sharedBlocks < formerBlocks;
      if (isCounted && cause !== null) tally.broke(cause, 0);
      else if (isCounted && isChanged && hasDecided)
        tally.broke("policy", Math.max(0, use.written - measured.tokensAfter(formerSeq)));
      if (isCounted && isChanged && hasDecided)
        tally.invalidatedThinking(thinkingBehind(state.items, prepared.report.sharedBlocks, formerSeq));
      formerSeq = lastSeq;
      formerBlocks = prepared.report.blocks;
      return (output) => {
        if (isCounted) tally.request(use, output, contextWindow);
        const isPolicyBreak = isChanged && hasDecided && cause === null;
        onPaid?.({ index: recorded.index, use, output, isPolicyBreak });
        return toUsage(use, output);
      };
    },
  };
}

function recordedUse({ usage }: RecordedRequest): CacheUse | null {
  if (!usage || promptTokens(usage) === 0) return null;
  const { cacheRead, cacheCreation, cacheCreation1h = 0, input } = usage;
  const writtenForHour = Math.min(cacheCreation1h, cacheCreation);
  return { read: cacheRead, written: cacheCreation, uncached: input, writtenForHour };
}

/** Thinking that the request before had as well, behind what they share. */
function thinkingBehind(items: readonly ViewItem[], sharedBlocks: number, formerSeq: number): number {
  return items
    .slice(sharedBlocks)
    .filter(({ block, seq }) => seq <= formerSeq && block.type.endsWith("thinking")).length;
}

function toUsage({ read, written, uncached }: CacheUse, output: number): Usage {
  return {
    input: Math.round(uncached),
    cacheRead: Math.round(read),
    cacheCreation: Math.round(written),
    output,
  };
}

/** A request's size, and how it looks to the cache. */
interface MeasuredRequest {
  readonly totalTokens: number;
  readonly input: Pick<CacheInput, "digestTo" | "tokensTo" | "breakpoints" | "totalTokens">;
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
        breakpoints: [0, 1, ...markedPositions(request).map((position) => position + headBlocks)],
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
