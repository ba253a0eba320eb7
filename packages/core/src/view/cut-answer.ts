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
