import { type Capabilities, isBlock, type KeptSegment, type ViewItem } from "../../../spec/index.ts";
import { isInSegment } from "../../../view/projection/kept-segment.ts";
import { isThinkingBlock } from "../../../view/request/thinking-location.ts";
import { isRoundOpen } from "../../../view/thinking/thinking-choice.ts";
import type { Measure } from "../../../view/tokens/measure.ts";
import { findUnseen } from "../../../view/unseen.ts";
import { cleanCuts } from "./clean-cuts.ts";

export interface KeptTailInput {
  readonly items: readonly ViewItem[];
  /** Nothing from before the newest boundary is kept, its summary above all. */
  readonly boundarySeq: number;
  readonly maxTokens: number;
  readonly measure: Measure;
  /** Kept thinking would stand on another prefix, and nothing could be done about it. */
  readonly forbidsThinking: boolean;
}

export interface UnseenTailInput extends Pick<KeptTailInput, "items" | "forbidsThinking"> {
  /** What the newest boundary put into the view is not kept. */
  readonly boundarySeq: number;
  readonly countOf: (items: readonly ViewItem[]) => number;
}

/** What stays word for word: the items from this position on. */
export interface KeptTail {
  readonly position: number;
  readonly segment: KeptSegment;
  readonly tokens: number;
}

/** The newest whole rounds that fit; `null` where not even one does. */
export function chooseKeptTail(question: KeptTailInput): KeptTail | null {
  const { items } = question;
  return largestTail(question, cleanCuts(items).filter(isRoundStart(items)));
}

function isRoundStart(items: readonly ViewItem[]): (at: number) => boolean {
  return (at) => at > 0 && items[at]?.role === "assistant" && items[at - 1]?.role === "user";
}

/**
 * What no model has been asked with, whatever it has: results with the calls they answer, and what was said behind them.
 * Where the calls think what may not stay, the results stay alone, and are sent as text. `null` where nothing is unseen.
 */
export function unseenTail({
  items,
  boundarySeq,
  countOf,
  forbidsThinking,
}: UnseenTailInput): KeptTail | null {
  const position = unseenPosition(items, boundarySeq, forbidsThinking);
  if (position === null) return null;
  const kept = items.slice(position).filter(({ seq }) => seq !== boundarySeq);
  const segment = toSegment(kept, "summary");
  if (!segment) return null;
  const { entry, index } = items[position] as ViewItem;
  const isAround = items.slice(position).some(({ seq }) => seq === boundarySeq);
  return {
    position,
    segment: {
      ...segment,
      from: { entry, block: index },
      ...(isAround && { exceptSeq: boundarySeq }),
    },
    tokens: countOf(kept),
  };
}

/** Kept thinking would stand on another prefix, and nothing could be done about it while its round is open. */
export function forbidsKeptThinking(
  items: readonly ViewItem[],
  { prefixBoundThinking, dropsUnboundThinking }: Capabilities,
): boolean {
  return prefixBoundThinking && !dropsUnboundThinking && isRoundOpen(items);
}

/** Where what a boundary must leave as it is begins; `null` where it may cover everything. */
export function unseenPosition(
  items: readonly ViewItem[],
  boundarySeq: number,
  forbidsThinking: boolean,
): number | null {
  const unseen = findUnseen(items, boundarySeq);
  if (!unseen) return null;
  const { from, withCalls } = unseen;
  const thinks = items.slice(withCalls, from).some(({ block }) => isThinkingBlock(block));
  return forbidsThinking && thinks ? from : withCalls;
}

/** What the user said last and no model has heard yet, where it fits: it stays the newest word. */
export function unheardPrompt(question: KeptTailInput): KeptTail | null {
  const { items } = question;
  let first = items.length;
  for (let item = items[first - 1]; item && isSaid(item); item = items[first - 1]) first -= 1;
  return largestTail(
    question,
    cleanCuts(items).filter((at) => at > 0 && at >= first),
  );
}

function isSaid({ role, block }: ViewItem): boolean {
  return role === "user" && !isBlock(block, "tool_result");
}

/** The whole from a position on, where a cut is clean there. */
export function keptFrom(
  items: readonly ViewItem[],
  position: number,
  measure: Measure,
): KeptTail | undefined {
  const kept = items.slice(position);
  const segment = toSegment(kept, "summary");
  return segment && { position, segment, tokens: tokensOf(kept, measure) };
}

/** Whether an entry stays as it is behind a boundary: it came later, or is kept. */
export function staysBehind(basis: number, kept: KeptSegment | undefined): (seq: number) => boolean {
  return (seq) => seq > basis || isInSegment(kept, seq);
}

/** All before a position, as an unchanged prefix. */
export function keptBefore(items: readonly ViewItem[], position: number): KeptSegment | undefined {
  return toSegment(items.slice(0, position), "boundary");
}

function largestTail(
  { items, boundarySeq, maxTokens, measure, forbidsThinking }: KeptTailInput,
  cuts: readonly number[],
): KeptTail | null {
  let best: KeptTail | null = null;
  let tokens = 0;
  let at = items.length;
  for (const cut of cuts.toReversed()) {
    const added = items.slice(cut, at);
    tokens += tokensOf(added, measure);
    at = cut;
    const mayStay =
      tokens <= maxTokens &&
      added.every(({ seq }) => seq > boundarySeq) &&
      !(forbidsThinking && added.some(({ block }) => isThinkingBlock(block)));
    if (!mayStay) return best;
    const segment = toSegment(items.slice(cut), "summary");
    if (segment) best = { position: cut, segment, tokens };
  }
  return best;
}

function toSegment(kept: readonly ViewItem[], anchor: KeptSegment["anchor"]): KeptSegment | undefined {
  const [first] = kept;
  if (!first) return undefined;
  const lowest = kept.reduce((low, item) => (item.seq < low.seq ? item : low), first);
  const highest = kept.reduce((high, item) => (item.seq > high.seq ? item : high), first);
  return { head: lowest.entry, headSeq: lowest.seq, tail: highest.entry, tailSeq: highest.seq, anchor };
}

function tokensOf(items: readonly ViewItem[], measure: Measure): number {
  return items.reduce((sum, { block }) => sum + measure([block]), 0);
}
