import type { PreparedFold } from "../../../../spec/index.ts";
import { type FoldGround, rangeOf } from "./fold-ground.ts";
import type { ItemMeasure } from "./item-measure.ts";
import type { ItemRange } from "./whole-units.ts";

/** A prepared fold where it would stand now. */
export interface PlacedFold {
  readonly fold: Pick<PreparedFold, "from" | "to" | "summary">;
  readonly range: ItemRange;
  /** Tokens that go, and those that come in their place. */
  readonly cleared: number;
  readonly stays: number;
}

/**
 * The prepared folds that still hold, oldest first: all of what they cover is in the view, finished and whole, and no
 * two overlap. The others are dead.
 */
export function placeFolds(
  ground: FoldGround,
  folds: readonly PreparedFold[],
  measure: ItemMeasure,
): readonly PlacedFold[] {
  const placed = folds.flatMap((fold): readonly PlacedFold[] => {
    const range = rangeOf(ground.items, fold);
    const cleared = range && tokensOf(ground, range);
    return range && cleared !== null ? [{ fold, range, cleared, stays: measure.text(fold.summary) }] : [];
  });
  const sorted = placed.toSorted((one, other) => one.range.from - other.range.from);
  let end = 0;
  return sorted.filter(({ range }) => {
    if (range.from < end) return false;
    end = range.to;
    return true;
  });
}

/** Of a range of whole, finished units; `null` for any other. */
function tokensOf({ units }: FoldGround, range: ItemRange): number | null {
  const inside = units.filter(({ from, to }) => from < range.to && range.from < to);
  const isWhole = inside[0]?.from === range.from && inside.at(-1)?.to === range.to;
  if (!isWhole || !inside.every(({ isOpen }) => isOpen)) return null;
  return inside.reduce((tokens, unit) => tokens + unit.tokens, 0);
}
