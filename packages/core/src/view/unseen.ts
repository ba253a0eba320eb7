import { isBlock, type ViewItem } from "../spec/index.ts";

/**
 * Where the newest response begins; 0 where there is none. Whatever the user's side holds from here on has been in no
 * request yet, nor has the response itself. A response may be written in parts, with results between them.
 */
export function newestRoundFrom(items: readonly ViewItem[]): number {
  const last = items.findLastIndex(({ role }) => role === "assistant");
  if (last <= 0) return Math.max(0, last);
  const { response } = items[last] as ViewItem;
  let start = last;
  for (let at = last - 1; at >= 0; at -= 1) {
    const { role, block, response: own } = items[at] as ViewItem;
    if (role === "assistant") {
      if (start !== at + 1 && (response === undefined || own !== response)) break;
      start = at;
    } else if (!isBlock(block, "tool_result")) break;
  }
  return start;
}

/** Where what no model has been asked with begins, and the response that its results answer. */
export interface Unseen {
  /** Position of the first item that no request has had. */
  readonly from: number;
  /** Position of the calls that unseen results answer; the same as `from` where there are none. */
  readonly withCalls: number;
}

/**
 * What no model has been asked with: results and words behind the newest response's beginning. `null` where there is
 * nothing of the kind. `boundarySeq`: what the boundary with this number put into the view is no news.
 */
export function findUnseen(items: readonly ViewItem[], boundarySeq = 0): Unseen | null {
  const start = newestRoundFrom(items);
  const newest = items.slice(start);
  const isNew = ({ role, seq }: ViewItem) => role === "user" && (seq !== boundarySeq || boundarySeq === 0);
  const first = newest.findIndex(isNew);
  if (first === -1) return null;
  const calls = new Set<string>();
  for (const { block } of newest) if (isBlock(block, "tool_use")) calls.add(block.id);
  const answers = newest
    .slice(first)
    .some(({ block }) => isBlock(block, "tool_result") && calls.has(block.tool_use_id));
  const from = start + first;
  return { from, withCalls: answers ? start : from };
}
