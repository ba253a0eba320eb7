import { isBlock, type KeptSegment, type ViewItem } from "../../spec/index.ts";
import { isThinkingBlock } from "../request/thinking-place.ts";
import { cleanCuts } from "./clean-cuts.ts";
import type { Measure } from "./measure.ts";
import { unseenResults } from "./unseen.ts";

export interface KeptTailQuestion {
  readonly items: readonly ViewItem[];
  /** Nothing from before the newest boundary is kept, its summary above all. */
  readonly boundarySeq: number;
  readonly maxTokens: number;
  readonly measure: Measure;
  /** Kept thinking would stand on another prefix, and nothing could be done about it. */
  readonly forbidsThinking: boolean;
}

/** What stays word for word: the items from this position on. */
export interface KeptTail {
  readonly position: number;
  readonly segment: KeptSegment;
  readonly tokens: number;
}

/** The newest whole rounds that fit; `null` where not even one does. */
export function chooseKeptTail(question: KeptTailQuestion): KeptTail | null {
  const { items } = question;
  return largestTail(question, cleanCuts(items).filter(isRoundStart(items)));
}

function isRoundStart(items: readonly ViewItem[]): (at: number) => boolean {
  return (at) => at > 0 && items[at]?.role === "assistant" && items[at - 1]?.role === "user";
}

/** What no model has seen, where it fits: results with the calls they answer, and what was said behind them. */
export function unseenTail(question: KeptTailQuestion): KeptTail | null {
  const { items } = question;
  const newest = cleanCuts(items).findLast(isRoundStart(items));
  const isOpen = newest !== undefined && unseenResults(items).length > 0;
  return (isOpen ? largestTail(question, [newest]) : null) ?? unheardPrompt(question);
}

/** What the user said last and no model has heard yet, where it fits: it stays the newest word. */
export function unheardPrompt(question: KeptTailQuestion): KeptTail | null {
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
  return (seq) => seq > basis || (kept !== undefined && seq >= kept.headSeq && seq <= kept.tailSeq);
}

/** All before a position, as an unchanged prefix. */
export function keptBefore(items: readonly ViewItem[], position: number): KeptSegment | undefined {
  return toSegment(items.slice(0, position), "boundary");
}

function largestTail(
  { items, boundarySeq, maxTokens, measure, forbidsThinking }: KeptTailQuestion,
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
