import type { ViewItem } from "../../spec/index.ts";
import { isThinkingBlock } from "../request/violation.ts";

export interface BindingInput {
  readonly items: readonly ViewItem[];
  /** Items before it stand where they stood, and are not looked at. */
  readonly from: number;
  /** Digest of everything before the item at a position. */
  readonly digestAt: (position: number) => string;
  /** Digest of the prefix an entry was produced on, where it is known. */
  readonly digestOf: (entry: string) => string | undefined;
  /** The same digest with what the API's own compaction stands for in its place; absent where there is none. */
  readonly carriedAt?: (position: number) => string | undefined;
}

/**
 * Positions of thinking that does not stand on the very prefix it was produced on. Where that prefix is not known, as
 * in imported logs, nobody can vouch for the thinking: it counts as unbound.
 */
export function unboundThinking(input: BindingInput): readonly number[] {
  const { items, from, digestAt, digestOf, carriedAt } = input;
  const isBound = (entry: string, at: number) => {
    const digest = digestOf(entry);
    return digest === digestAt(at) || (digest !== undefined && digest === carriedAt?.(at));
  };
  const unbound: number[] = [];
  let start = responseStart(items, from);
  for (let position = from; position < items.length; position += 1) {
    const item = items[position] as ViewItem;
    if (!isSameResponse(items[position - 1], item)) start = position;
    if (isThinking(item) && !isBound(item.entry, start)) unbound.push(position);
  }
  return unbound;
}

/** Where the response that an item belongs to begins. */
function responseStart(items: readonly ViewItem[], position: number): number {
  let start = position;
  while (start > 0 && isSameResponse(items[start - 1], items[start])) start -= 1;
  return start;
}

/** Whether two neighbours are of one response. */
export function isSameResponse(before: ViewItem | undefined, item: ViewItem | undefined): boolean {
  if (before?.role !== "assistant" || item?.role !== "assistant") return false;
  return before.entry === item.entry || (item.response !== undefined && item.response === before.response);
}

export function isThinking({ block }: ViewItem): boolean {
  return isThinkingBlock(block);
}
