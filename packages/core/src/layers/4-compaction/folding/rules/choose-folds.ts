import type {
  Entry,
  EntrySpan,
  Facts,
  FailedUpdates,
  FoldNote,
  PreparedFold,
  ViewItem,
} from "../../../../spec/index.ts";
import { requestsToBreakEven } from "../../../../view/economics/break-even.ts";
import { writePrice } from "../../../../view/economics/dollars.ts";
import type { ItemRange } from "./find-spans.ts";
import { type FoldGround, type ItemMeasure, rangeOf } from "./fold-ground.ts";

/** The tokens a fold takes out of the view and puts there. */
interface FoldSize {
  readonly cleared: number;
  readonly stays: number;
}

interface FoldBatch<Fold extends FoldSize> {
  readonly folds: readonly Fold[];
  /** Tokens that all of it takes out. */
  readonly freed: number;
}

interface BatchOptions {
  /** Of the view as it is. */
  readonly tokens: number;
  /** Folds are added until it would be under this. */
  readonly target: number;
}

/** The oldest folds, as few as bring the view under the target; those that free nothing are left out. */
export function chooseFolds<Fold extends FoldSize>(
  folds: readonly Fold[],
  { tokens, target }: BatchOptions,
): FoldBatch<Fold> {
  const chosen: Fold[] = [];
  let freed = 0;
  for (const fold of folds) {
    if (tokens - freed < target) break;
    if (fold.cleared <= fold.stays) continue;
    chosen.push(fold);
    freed += fold.cleared - fold.stays;
  }
  return { folds: chosen, freed };
}

/** Whether a batch is worth the cache it costs: it brings the view under its level, or frees enough. */
export function isWorthABreak(
  { freed }: Pick<FoldBatch<FoldSize>, "freed">,
  { tokens, level, minBatch }: { readonly tokens: number; readonly level: number; readonly minBatch: number },
): boolean {
  return freed > 0 && (tokens - freed < level || freed >= minBatch);
}

/**
 * Why a batch pays before it has to be committed; `null` where it does not. What stands behind its first fold is written
 * to the cache again, once; what is folded is no longer read with every request. Where the cache is cold, all is written
 * again in any case.
 */
export function reasonToFoldEarly(
  folds: readonly PlacedFold[],
  items: readonly ViewItem[],
  measure: ItemMeasure,
  facts: Pick<Facts, "cache" | "prices" | "expectedRequests">,
): string | null {
  const first = folds[0]?.range.from;
  if (first === undefined) return null;
  if (facts.cache.state === "cold") return "the cache is cold, so that a break costs nothing";
  const cleared = folds.reduce((sum, fold) => sum + fold.cleared, 0);
  const stays = folds.reduce((sum, fold) => sum + fold.stays, 0);
  const behind = items.slice(first).reduce((sum, item) => sum + measure.item(item), 0) - cleared;
  const rates = { cacheRead: facts.prices.cacheRead, cacheWrite: writePrice(facts) };
  const after = requestsToBreakEven({ cleared, stays, behind }, rates);
  if (!(facts.expectedRequests > after)) return null;
  return `saves money after ${after.toFixed(1)} requests; ${facts.expectedRequests.toFixed(0)} are expected`;
}

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

/** The state of the folds, from the log. */
export interface FoldsState {
  readonly folds?: readonly PreparedFold[];
  readonly sparedFolds?: readonly EntrySpan[];
  readonly failedFolds?: FailedUpdates;
}

/**
 * The state behind the next live entry. An attempt leaves the fork's note and then the folds: forks behind the newest
 * folds brought none. A compaction clears everything, unless it was undone. A fold that was committed waits no longer;
 * one that was undone spares its span. Total.
 */
export function nextFolds(state: FoldsState, entry: Entry, isUndone: boolean): FoldsState {
  if (entry.kind === "note") {
    const { note } = entry;
    if (note.topic === "fold" && isFold(note)) return addPreparedFold(state, toPrepared(note, entry));
    if (note.topic !== "fork" || note.forkKind !== "collapse") return state;
    return { ...state, failedFolds: { count: (state.failedFolds?.count ?? 0) + 1, seq: entry.seq } };
  }
  if (entry.kind !== "decision") return state;
  const { decision } = entry;
  if (decision.type === "compact") return isUndone ? state : {};
  if (decision.type !== "fold") return state;
  const { from, to } = decision;
  const { folds: former = [], sparedFolds = [], ...rest } = state;
  const folds = former.filter((fold) => fold.from !== from || fold.to !== to);
  const spared = isUndone ? [...sparedFolds, { from, to }] : sparedFolds;
  return {
    ...rest,
    ...(folds.length > 0 && { folds }),
    ...(spared.length > 0 && { sparedFolds: spared }),
  };
}

function addPreparedFold({ folds = [], sparedFolds }: FoldsState, fold: PreparedFold): FoldsState {
  return { folds: [...folds, fold], ...(sparedFolds && { sparedFolds }) };
}

function isFold({ from, to, summary, tokens }: FoldNote): boolean {
  const areTexts = typeof from === "string" && typeof to === "string" && typeof summary === "string";
  return areTexts && summary !== "" && Number.isFinite(tokens);
}

function toPrepared({ from, to, summary, tokens }: FoldNote, { id, seq }: Entry): PreparedFold {
  return { entry: id, seq, from, to, summary, tokens };
}
