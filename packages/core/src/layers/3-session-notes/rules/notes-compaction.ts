import {
  type Facts,
  isBlock,
  type KeptSegment,
  type NotesRecord,
  type View,
  type ViewItem,
} from "../../../spec/index.ts";
import { estimateBlock, estimateContent, padEstimate } from "../../../view/tokens/index.ts";
import { type NotesNumbers, notesNumbersOf } from "../settings.ts";
import { hasNotes, notesSummary, notesTemplateOf } from "./notes-document.ts";

export type NotesCompaction =
  | {
      readonly choice: "compact";
      /** The notes as they stand in for what goes; to be framed as any summary. */
      readonly summary: string;
      /** Messages kept behind it, word for word; absent where there are none. */
      readonly kept?: KeptSegment;
      /** Position in the view from which on it stays. */
      readonly keptFrom: number;
      /** The next request, by the rule for views without usage. */
      readonly tokensAfter: number;
    }
  | {
      readonly choice: "refuse";
      readonly code: "off" | "no-notes" | "not-covered" | "no-room" | "too-large";
      readonly reason: string;
      readonly tokensAfter?: number;
      readonly threshold?: number;
    };

export interface NotesCompactionOptions {
  /** Estimated tokens of what will stand beside the summary: its frame, restored files, hook results. */
  readonly besideTokens?: number;
  /** The limit for what is kept beyond what the notes do not cover, where it is less than was set. */
  readonly maxKeepTokens?: number;
}

/**
 * Whether the notes can stand in for the past, and what stays behind them. Pure: nothing is asked of a model. To be asked
 * when an update that goes on has ended (`Layer.waitMs`).
 */
export function decideNotesCompaction(
  view: View,
  notes: NotesRecord | undefined,
  facts: Facts,
  { besideTokens = 0, maxKeepTokens = Number.POSITIVE_INFINITY }: NotesCompactionOptions = {},
): NotesCompaction {
  const { switches } = facts.settings;
  if (switches?.notesCompaction === false) return refuse("off", "compaction by notes is off");
  const template = notesTemplateOf(facts);
  if (!notes || !hasNotes(notes.text, template)) return refuse("no-notes", "there are no notes yet");
  const { items } = view;
  const covered = items.findLastIndex(({ entry }) => entry === notes.covers);
  if (covered === -1)
    return refuse("not-covered", "the last message that the notes cover is not in the view");
  const { boundarySeq = 0 } = view;
  const first = items.findLastIndex(({ seq }) => seq <= boundarySeq) + 1;
  const set = notesNumbersOf(facts);
  const numbers = { ...set, maxKeepTokens: Math.min(set.maxKeepTokens, maxKeepTokens) };
  const tail = keptTail({ items, first, wanted: Math.max(first, covered + 1), numbers });
  if (!tail || tail.start === 0) return refuse("no-room", "nothing could give way to the notes");
  const summary = notesSummary(notes.text, template);
  const messages = estimateContent(summary) + tail.tokens + besideTokens;
  const tokensAfter = (facts.headTokens ?? 0) + padEstimate(messages);
  const threshold = facts.thresholds.auto;
  if (tokensAfter >= threshold) {
    const reason = `the next request would have ${tokensAfter} tokens, and compaction begins at ${threshold}`;
    return { ...refuse("too-large", reason), tokensAfter, threshold };
  }
  const kept = segmentOf(items.slice(tail.start));
  return { choice: "compact", summary, ...(kept && { kept }), keptFrom: tail.start, tokensAfter };
}

type Refusal = Extract<NotesCompaction, { readonly choice: "refuse" }>;

function refuse(code: Refusal["code"], reason: string): Refusal {
  return { choice: "refuse", code, reason };
}

function segmentOf(items: readonly ViewItem[]): KeptSegment | undefined {
  const [head, tail] = [items[0], items.at(-1)];
  if (!head || !tail) return undefined;
  const headSeq = items.reduce((least, { seq }) => Math.min(least, seq), head.seq);
  const tailSeq = items.reduce((most, { seq }) => Math.max(most, seq), tail.seq);
  return { head: head.entry, headSeq, tail: tail.entry, tailSeq, anchor: "summary" };
}

/** The end of a view that is kept as it is. */
interface KeptTail {
  /** Position of its first item. */
  readonly start: number;
  /** By the plain rule. */
  readonly tokens: number;
}

interface TailInput {
  readonly items: readonly ViewItem[];
  /** No item before this may be kept: the previous boundary stands there. */
  readonly first: number;
  /** Everything from here on is kept. */
  readonly wanted: number;
  readonly numbers: Pick<NotesNumbers, "keepTokens" | "keepMessages" | "maxKeepTokens">;
}

/**
 * The kept tail: all that is wanted, and before it as much as it takes to have enough tokens and messages with text,
 * without going over the most for that. It begins where nothing is split. `null` where there is no such place.
 */
function keptTail({ items, first, wanted, numbers }: TailInput): KeptTail | null {
  const mayBegin = beginnings(items);
  let start = wanted;
  while (start > first && !mayBegin(start)) start -= 1;
  if (!mayBegin(start)) return null;
  const tail = createTail(items);
  tail.extendTo(start);
  const { keepTokens, keepMessages, maxKeepTokens } = numbers;
  for (let at = start - 1; at >= first; at -= 1) {
    if (tail.kept.tokens >= keepTokens && tail.kept.messages >= keepMessages) break;
    if (!mayBegin(at)) continue;
    if (tail.tokensFrom(at) > maxKeepTokens) break;
    tail.extendTo(at);
    start = at;
  }
  return { start, tokens: tail.kept.tokens };
}

/** Counts what is kept while it grows backwards. */
function createTail(items: readonly ViewItem[]) {
  const texts = new Set<string>();
  let at = items.length;
  let tokens = 0;
  const tokensFrom = (position: number) =>
    items.slice(position, at).reduce((sum, { block }) => sum + estimateBlock(block), tokens);
  return {
    tokensFrom,
    get kept() {
      return { tokens, messages: texts.size };
    },
    extendTo(position: number) {
      tokens = tokensFrom(position);
      for (const { block, response, entry } of items.slice(position, at))
        if (isBlock(block, "text") && block.text.trim() !== "") texts.add(response ?? entry);
      at = position;
    },
  };
}

/**
 * Whether a kept part may begin at a position: no entry, no response and no call with its result lies on both sides,
 * and the sequence numbers tell the two sides apart, since that is how a boundary names what it keeps.
 */
function beginnings(items: readonly ViewItem[]): (position: number) => boolean {
  const firstOf = new Map<string, number>();
  const links = items.map((item, position) => {
    const keys = keysOf(item);
    for (const key of keys) if (!firstOf.has(key)) firstOf.set(key, position);
    return Math.min(...keys.map((key) => firstOf.get(key) ?? position));
  });
  const reaches = new Array<number>(items.length + 1).fill(items.length);
  const lowest = new Array<number>(items.length + 1).fill(Number.POSITIVE_INFINITY);
  for (let at = items.length - 1; at >= 0; at -= 1) {
    reaches[at] = Math.min(reaches[at + 1] as number, links[at] as number);
    lowest[at] = Math.min(lowest[at + 1] as number, items[at]?.seq as number);
  }
  const highest = [Number.NEGATIVE_INFINITY];
  for (const { seq } of items) highest.push(Math.max(highest.at(-1) as number, seq));
  return (at) => (reaches[at] as number) >= at && (highest[at] as number) < (lowest[at] as number);
}

/** Keys of an item; items with the same key stay together. */
function keysOf({ entry, response, block }: ViewItem): readonly string[] {
  const call = isBlock(block, "tool_use")
    ? block.id
    : isBlock(block, "tool_result")
      ? block.tool_use_id
      : null;
  return [
    `entry ${entry}`,
    ...(response === undefined ? [] : [`response ${response}`]),
    ...(call === null ? [] : [`call ${call}`]),
  ];
}
