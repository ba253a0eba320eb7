import type { EntrySpan, ViewItem } from "../../../../spec/index.ts";
import type { FoldingNumbers } from "../settings.ts";
import type { FoldGround, FoldUnit } from "./fold-ground.ts";
import type { ItemRange } from "./whole-units.ts";

/** Finished work that could be folded. */
export interface FoldSpan extends EntrySpan {
  readonly range: ItemRange;
  readonly items: readonly ViewItem[];
  readonly tokens: number;
  /** Responses of the model in it, with what answered them. */
  readonly rounds: number;
}

export interface SpanOptions extends Pick<FoldingNumbers, "spanTokens" | "minSpanTokens"> {
  /** What is folded or waits to be. */
  readonly taken: readonly ItemRange[];
  /** What ends where the newest work begins counts as whole, however small it is. */
  readonly takesLast?: boolean;
}

/** Spans of finished work that nothing was prepared for, oldest first. Each begins with work and ends with it. */
export function findSpans({ items, units }: FoldGround, options: SpanOptions): readonly FoldSpan[] {
  const { spanTokens, minSpanTokens, taken, takesLast = false } = options;
  const isFree = (unit: FoldUnit) =>
    unit.isOpen && !taken.some(({ from, to }) => from < unit.to && unit.from < to);
  /** More may come behind it: what has not the full size yet waits. */
  const newest = units.findLast(({ isOpen }) => isOpen);
  const spans: FoldSpan[] = [];
  let run: FoldUnit[] = [];
  const close = (isWhole: boolean) => {
    const span = toSpan(items, run);
    if (isWhole && span && span.tokens >= minSpanTokens) spans.push(span);
    run = [];
  };
  for (const unit of units) {
    if (!isFree(unit)) close(takesLast || run.at(-1) !== newest);
    else {
      run.push(unit);
      if (unit.isWork && sum(run) >= spanTokens) close(true);
    }
  }
  close(takesLast);
  return spans;
}

const sum = (units: readonly FoldUnit[]) => units.reduce((tokens, unit) => tokens + unit.tokens, 0);

function toSpan(items: readonly ViewItem[], run: readonly FoldUnit[]): FoldSpan | null {
  const first = run.findIndex(({ isWork }) => isWork);
  const last = run.findLastIndex(({ isWork }) => isWork);
  const [head, tail] = [run[first], run[last]];
  if (!head || !tail) return null;
  const range = { from: head.from, to: tail.to };
  const part = items.slice(range.from, range.to);
  const [from, to] = [part[0], part.at(-1)];
  if (!from || !to) return null;
  const work = run.slice(first, last + 1);
  const rounds = work.filter(({ isWork }) => isWork).length;
  return { range, items: part, tokens: sum(work), rounds, from: from.entry, to: to.entry };
}
