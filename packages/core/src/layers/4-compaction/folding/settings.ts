import { isCount } from "../../../json/json-values.ts";
import type { Facts } from "../../../spec/index.ts";
import { windowNumbers } from "../../../view/window/window-numbers.ts";

/** Every number that folding rests on; each can be set under `folding`. Percentages are of the effective window. */
export interface FoldingNumbers {
  /** From here on folds are prepared, */
  readonly preparePercent: number;
  /** from here on committed, */
  readonly commitPercent: number;
  /** and from here on no request goes out before enough is folded. */
  readonly blockPercent: number;
  /** A batch folds until the view is under this. */
  readonly targetPercent: number;
  /** A batch that leaves the view over its level frees at least this much: each one costs the cache. */
  readonly minBatchPercent: number;
  /** A span ends once it has so many tokens, */
  readonly spanTokens: number;
  /** and is not folded with fewer than these. */
  readonly minSpanTokens: number;
  /** The token limit of a summary. */
  readonly summaryTokens: number;
  /** The newest so many tokens and rounds stay as they are. */
  readonly keepTokens: number;
  readonly keepRounds: number;
  /** Spans that are summarised at a time. */
  readonly maxSpans: number;
  /** How long a request that must not go out unfolded waits for summaries that are being written. */
  readonly staleMs: number;
}

export const foldingNumbers: FoldingNumbers = {
  preparePercent: 60,
  commitPercent: 90,
  blockPercent: 95,
  targetPercent: 70,
  minBatchPercent: 5,
  spanTokens: 8_000,
  minSpanTokens: 2_000,
  summaryTokens: 600,
  keepTokens: 20_000,
  keepRounds: 3,
  maxSpans: 6,
  staleMs: 60_000,
};

/** A fold is a part of a line of the log: within this it is never large enough to be stored beside it. */
export const maxFoldTokens = 4_000;

const names = Object.keys(foldingNumbers) as (keyof FoldingNumbers)[];

/**
 * Reads what was set. Total: a value that is no count is passed over. In a small window all counts of tokens shrink in
 * proportion, as the window's own do.
 */
export function foldingNumbersOf({
  settings,
  thresholds,
}: Pick<Facts, "settings" | "thresholds">): FoldingNumbers {
  const given = settings.folding ?? {};
  const scaleBelow = settings.window?.scaleBelowTokens ?? windowNumbers.scaleBelowTokens;
  const scale = Math.min(1, thresholds.window / scaleBelow);
  const read = names.map((name) => {
    const value = given[name];
    const number = isCount(value) ? value : foldingNumbers[name];
    return [name, name.endsWith("Tokens") ? Math.ceil(number * scale) : number] as const;
  });
  return { ...foldingNumbers, ...Object.fromEntries(read) };
}

/** The levels in tokens. None is over the count at which the engine makes no request any more. */
export interface FoldingLevels {
  readonly prepare: number;
  readonly commit: number;
  readonly block: number;
  readonly target: number;
  readonly minBatch: number;
}

export function foldingLevels(
  numbers: FoldingNumbers,
  { effective, blocking }: Facts["thresholds"],
): FoldingLevels {
  const part = (percent: number) => Math.floor((effective * percent) / 100);
  const level = (percent: number) => Math.min(part(percent), blocking);
  return {
    prepare: level(numbers.preparePercent),
    commit: level(numbers.commitPercent),
    block: level(numbers.blockPercent),
    target: level(numbers.targetPercent),
    minBatch: part(numbers.minBatchPercent),
  };
}
