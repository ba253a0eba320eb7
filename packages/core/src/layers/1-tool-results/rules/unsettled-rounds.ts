import {
  isBlock,
  type ToolResultBlock,
  type ToolUseBlock,
  type View,
  type ViewItem,
} from "../../../spec/index.ts";
import { resultText } from "../../../view/projection/message-items.ts";
import { toRounds } from "../../../view/request/request-ids.ts";

/** A result for which no choice is frozen yet. */
export interface UnsettledResult {
  readonly block: ToolResultBlock;
  /** Of the entry that has it. */
  readonly seq: number;
  /** Absent where the call is not part of the view. */
  readonly call?: ToolUseBlock;
  /** The model has seen it whole. */
  readonly isSent: boolean;
  readonly chars: number;
}

export interface UnsettledRound {
  readonly results: readonly UnsettledResult[];
  /** Characters of the round's other results, which nothing can be done about. */
  readonly settledChars: number;
}

/**
 * The rounds that have results without a frozen choice, oldest first. Where several results have one id, the largest
 * stands for all of them. What a decision has put in the place of a result is not looked at.
 */
export function unsettledRounds(view: View): readonly UnsettledRound[] {
  const first = firstUnsettled(view);
  if (first === -1) return [];
  const sent = new Set(view.items.slice(first, view.sentItems));
  const items = view.items.slice(roundStart(view.items, first));
  const calls = new Map(
    items.flatMap(({ block }) => (isBlock(block, "tool_use") ? [[block.id, block] as const] : [])),
  );
  const seen = new Set<string>();
  return toRounds(items).flatMap(({ user }) => {
    if (!user.some((item) => isUnsettled(item, view))) return [];
    const results = new Map<string, UnsettledResult>();
    let settledChars = 0;
    for (const item of user) {
      const { block, seq } = item;
      if (!isBlock(block, "tool_result")) continue;
      const id = block.tool_use_id;
      const chars = resultText(block).length;
      if (!isUnsettled(item, view) || seen.has(id)) {
        settledChars += chars;
        continue;
      }
      const known = results.get(id);
      const call = calls.get(id);
      const isSent = sent.has(item) || known?.isSent === true;
      const largest = known && known.chars > chars ? known : { block, seq, chars, ...(call && { call }) };
      results.set(id, { ...largest, isSent });
    }
    for (const id of results.keys()) seen.add(id);
    return results.size > 0 ? [{ results: [...results.values()], settledChars }] : [];
  });
}

/** By list of items: how many at its beginning are settled. A choice that is frozen stays so while the list lives. */
const settledItems = new WeakMap<readonly ViewItem[], number>();

function firstUnsettled(view: View): number {
  const { items } = view;
  let at = settledItems.get(items) ?? 0;
  while (at < items.length && !isUnsettled(items[at] as ViewItem, view)) at += 1;
  settledItems.set(items, at);
  return at < items.length ? at : -1;
}

/** Where the round of an item begins; blocks of one response may have results between them. */
function roundStart(items: readonly ViewItem[], position: number): number {
  let start = position;
  const response = () => items[start]?.response;
  for (;;) {
    while (start > 0 && items[start - 1]?.role === "user") start -= 1;
    while (start > 0 && items[start - 1]?.role === "assistant") start -= 1;
    const own = response();
    let before = start - 1;
    while (before >= 0 && items[before]?.role !== "assistant") before -= 1;
    if (start === 0 || own === undefined || items[before]?.response !== own) return start;
  }
}

function isUnsettled({ block, decision }: ViewItem, { settledResults }: View): boolean {
  return isBlock(block, "tool_result") && decision === undefined && !settledResults.has(block.tool_use_id);
}
