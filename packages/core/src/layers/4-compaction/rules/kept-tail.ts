import { type Capabilities, isBlock, type KeptSegment, type ViewItem } from "../../../spec/index.ts";
import { findUnseen } from "../../../view/newest-answer.ts";
import { isInSegment } from "../../../view/projection/item-list.ts";
import { isThinkingBlock } from "../../../view/request/violation.ts";
import { isRoundOpen } from "../../../view/thinking/thinking-choice.ts";
import { estimateBlock } from "../../../view/tokens/index.ts";
import type { Measure } from "../../../view/tokens/measure.ts";

interface KeptTailInput {
  readonly items: readonly ViewItem[];
  /** Nothing from before the newest boundary is kept, its summary above all. */
  readonly boundarySeq: number;
  readonly maxTokens: number;
  readonly measure: Measure;
  /** Kept thinking would stand on another prefix, and nothing could be done about it. */
  readonly forbidsThinking: boolean;
}

interface UnseenTailInput extends Pick<KeptTailInput, "items" | "forbidsThinking"> {
  /** The position of the newest boundary, whose own items are not kept. */
  readonly boundarySeq: number;
  readonly countOf: (items: readonly ViewItem[]) => number;
}

/** The items kept word for word: those from this position on. */
export interface KeptTail {
  readonly position: number;
  readonly segment: KeptSegment;
  readonly tokens: number;
}

/** The newest whole rounds that fit; `null` where not even one does. */
export function chooseKeptTail(input: KeptTailInput): KeptTail | null {
  const { items } = input;
  return largestTail(input, cleanCuts(items).filter(isRoundStart(items)));
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
function unseenPosition(
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

/** The user's last prompt that no model has answered yet, where it fits: it stays the newest word. */
export function unansweredPrompt(input: KeptTailInput): KeptTail | null {
  const { items } = input;
  let first = items.length;
  for (let item = items[first - 1]; item && isSaid(item); item = items[first - 1]) first -= 1;
  return largestTail(
    input,
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

/**
 * Positions at which a view can be cut in two: the numbers of all items before one are smaller than those from it on,
 * so that a range of numbers names either part exactly; and no call is cut off from its result, nor one block of a
 * response from another.
 */
export function cleanCuts(items: readonly ViewItem[]): readonly number[] {
  const lowestFrom: number[] = new Array(items.length + 1).fill(Number.POSITIVE_INFINITY);
  for (let at = items.length - 1; at >= 0; at -= 1)
    lowestFrom[at] = Math.min(lowestFrom[at + 1] as number, (items[at] as ViewItem).seq);
  const lastOf = lastPositions(items);
  const cuts: number[] = [];
  let highest = Number.NEGATIVE_INFINITY;
  /** The last item that something before this position is tied to. */
  let tiedUpTo = -1;
  for (const [at, item] of items.entries()) {
    if (highest < (lowestFrom[at] as number) && tiedUpTo < at) cuts.push(at);
    highest = Math.max(highest, item.seq);
    for (const tie of tiesOf(item)) tiedUpTo = Math.max(tiedUpTo, lastOf.get(tie) ?? at);
  }
  return cuts;
}

function lastPositions(items: readonly ViewItem[]): ReadonlyMap<string, number> {
  const last = new Map<string, number>();
  for (const [at, item] of items.entries()) for (const tie of tiesOf(item)) last.set(tie, at);
  return last;
}

/** Names of what an item belongs to together with others. */
function tiesOf({ block, response, entry }: ViewItem): readonly string[] {
  const call = isBlock(block, "tool_use")
    ? [`call ${block.id}`]
    : isBlock(block, "tool_result")
      ? [`call ${block.tool_use_id}`]
      : [];
  return [`entry ${entry}`, ...call, ...(response === undefined ? [] : [`response ${response}`])];
}

/** Rounds as a transcript is made of them, oldest first. */
export type Rounds = readonly (readonly ViewItem[])[];

/**
 * Drops the oldest rounds that cover the gap, or a part of all where no gap is known. At least one goes, and the newest
 * always stays; `null` where there is nothing left to drop.
 */
export function dropOldestRounds(
  rounds: Rounds,
  gapTokens: number | undefined,
  dropPercent: number,
): Rounds | null {
  if (rounds.length < 2) return null;
  const most = rounds.length - 1;
  if (gapTokens === undefined)
    return rounds.slice(Math.min(most, Math.max(1, Math.ceil((rounds.length * dropPercent) / 100))));
  let dropped = 0;
  for (let tokens = 0; dropped < most && (dropped === 0 || tokens < gapTokens); dropped += 1)
    tokens += roundTokens(rounds[dropped] ?? []);
  return rounds.slice(dropped);
}

/** Rounds in parts of at most so many tokens each, in their order; a larger round is a part of its own. */
export function toChunks(rounds: Rounds, maxTokens: number): readonly Rounds[] {
  const chunks: (readonly ViewItem[])[][] = [];
  let tokens = Number.POSITIVE_INFINITY;
  for (const round of rounds) {
    const size = roundTokens(round);
    if (tokens + size > maxTokens) {
      chunks.push([]);
      tokens = 0;
    }
    chunks.at(-1)?.push(round);
    tokens += size;
  }
  return chunks;
}

function roundTokens(round: readonly ViewItem[]): number {
  return round.reduce((sum, { block }) => sum + estimateBlock(block), 0);
}
