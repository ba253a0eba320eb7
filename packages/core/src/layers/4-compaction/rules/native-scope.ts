import { isBlock, type ViewItem } from "../../../spec/index.ts";
import type { Measure } from "../../../view/tokens/measure.ts";
import { cleanCuts } from "./clean-cuts.ts";
import { type KeptTail, keptFrom } from "./kept-tail.ts";

export interface NativeScope {
  /** The last number that is covered. */
  readonly upToSeq: number;
  /** How many items at the beginning are covered. */
  readonly covered: number;
  /** The turn that goes on, word for word; absent where everything is covered. */
  readonly tail?: KeptTail;
}

/**
 * What the API can compact: finished turns. The turn that goes on stays behind them, its thinking too, since the block
 * vouches for what it is bound to. `null` where no turn is finished.
 */
export function nativeScope(items: readonly ViewItem[], measure: Measure): NativeScope | null {
  const cut = isTurnEnd(items, items.length)
    ? items.length
    : cleanCuts(items).findLast((at) => isTurnEnd(items, at) && isPrompt(items[at]));
  if (cut === undefined || cut === 0) return null;
  const upToSeq = items.slice(0, cut).reduce((highest, { seq }) => Math.max(highest, seq), 0);
  const tail = cut === items.length ? undefined : keptFrom(items, cut, measure);
  return { upToSeq, covered: cut, ...(tail && { tail }) };
}

/** Whether what stands before a position ends with the assistant's last word. */
function isTurnEnd(items: readonly ViewItem[], at: number): boolean {
  const last = items[at - 1];
  return last?.role === "assistant" && !isBlock(last.block, "tool_use");
}

function isPrompt(item: ViewItem | undefined): boolean {
  return item?.role === "user" && !isBlock(item.block, "tool_result");
}
