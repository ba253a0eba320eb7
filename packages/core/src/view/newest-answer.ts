import { isBlock, type Message, type ViewItem } from "../spec/index.ts";

/** The stop reason of an answer that was cut because the model's window was full. */
export const windowFullStop = "model_context_window_exceeded";

export interface CutAnswerInput {
  readonly items: readonly ViewItem[];
  readonly messageOf: (entry: string) => Pick<Message, "stopReason" | "prefixDigest"> | undefined;
  /** Sequence number of the newest boundary. */
  readonly boundarySeq?: number;
}

export interface CutAnswer {
  /** Its blocks, where nothing stands behind them and none of them calls a tool: it can be asked for again. */
  readonly repeatable: readonly ViewItem[];
  /** Digest of what it was produced on; absent where nobody knows. */
  readonly prefixDigest?: string;
}

/** The newest answer, where it was cut because the window was full and nothing was compacted since. */
export function findCutAnswer({ items, messageOf, boundarySeq = 0 }: CutAnswerInput): CutAnswer | null {
  const newest = items.findLast(({ role }) => role === "assistant");
  const message = newest && messageOf(newest.entry);
  if (!newest || message?.stopReason !== windowFullStop || newest.seq < boundarySeq) return null;
  const { entry, response } = newest;
  const isOther = (item: ViewItem) =>
    item.entry !== entry && (response === undefined || item.response !== response);
  const blocks = items.slice(items.findLastIndex(isOther) + 1);
  const { prefixDigest } = message;
  return {
    repeatable: blocks.some(({ block }) => isBlock(block, "tool_use")) ? [] : blocks,
    ...(prefixDigest !== undefined && { prefixDigest }),
  };
}

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
interface Unseen {
  /** Position of the first item that no request has had. */
  readonly from: number;
  /** Position of the calls that unseen results answer; the same as `from` where there are none. */
  readonly withCalls: number;
}

/**
 * The part no model has been asked with: results and words behind the newest response's beginning. `null` where there
 * is nothing of the kind. `boundarySeq`: what the boundary with this number put into the view is no news.
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
