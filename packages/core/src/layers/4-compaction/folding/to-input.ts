import type { View } from "../../../spec/index.ts";
import type { SpanInput } from "./command.ts";
import { type FoldingNumbers, type FoldSpan, spanLedgers } from "./rules/index.ts";

/** Of a span's tokens, the most that its summary may have. */
const summaryShare = 0.25;

/** A span with all that its summary is written from; it stays as it is when entries are added. */
export function toQuestion(
  { items, from, to, tokens, rounds }: FoldSpan,
  { ledgers }: Pick<View, "ledgers">,
  { summaryTokens }: Pick<FoldingNumbers, "summaryTokens">,
  logAddress?: string,
): SpanInput {
  return {
    items,
    from,
    to,
    tokens,
    rounds,
    ledgers: spanLedgers(ledgers, items),
    summaryTokens: Math.max(1, Math.min(summaryTokens, Math.floor(tokens * summaryShare))),
    ...(logAddress !== undefined && { logAddress }),
  };
}
