import { isBlock, type ViewItem } from "../../../spec/index.ts";
import { estimateBlock } from "../../../view/tokens/index.ts";
import type { NotesNumbers } from "../settings.ts";

/** The end of a view that is kept as it is. */
export interface KeptTail {
  /** Position of its first item. */
  readonly start: number;
  /** By the plain rule. */
  readonly tokens: number;
}

export interface TailQuestion {
  readonly items: readonly ViewItem[];
  /** No item before this may be kept: the previous boundary stands there. */
  readonly first: number;
  /** Everything from here on is kept. */
  readonly wanted: number;
  readonly numbers: Pick<NotesNumbers, "keepTokens" | "keepMessages" | "maxKeepTokens">;
}

/**
 * What is kept: all that is wanted, and before it as much as it takes to have enough tokens and messages with text,
 * without going over the most for that. It begins where nothing is split. `null` where there is no such place.
 */
export function keptTail({ items, first, wanted, numbers }: TailQuestion): KeptTail | null {
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

/** What an item must not be parted from. */
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
