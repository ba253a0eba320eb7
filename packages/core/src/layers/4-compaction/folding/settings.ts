import { count, percent, scaledTokens } from "../../../settings/declare.ts";
import { offByDefault } from "../../../settings/flag.ts";
import { defaultsOf, readValues, scaleOf } from "../../../settings/read-values.ts";
import type { ValuesOf } from "../../../settings/setting.ts";
import { onceAConfiguration } from "../../../settings/setting-values.ts";
import type { Facts } from "../../../spec/index.ts";

/** A fold is a part of a line of the log: within this it is never large enough to be stored beside it. */
export const maxFoldTokens = 4_000;

/** How finished work is folded. Percentages are of the effective window; in a small one counts of tokens shrink too. */
export const foldingSettings = {
  preparePercent: percent(
    60,
    "with the flag `fold`: percent of the effective window from which finished work is summarised in the background",
  ),
  commitPercent: percent(
    90,
    "percent of the effective window from which the oldest prepared summaries take the place of their work, in one batch",
  ),
  blockPercent: percent(
    95,
    "percent of the effective window from which a request waits until enough is folded",
  ),
  targetPercent: percent(
    70,
    "percent of the effective window below which a batch brings the conversation, so that the next one is far away",
  ),
  minBatchPercent: percent(
    5,
    "least percentage freed by a batch that leaves the conversation over its level, since each batch breaks the cache",
  ),
  spanTokens: scaledTokens(
    8_000,
    "tokens at which a span of finished work ends; each span gets a summary",
    "up",
    { least: 1 },
  ),
  minSpanTokens: scaledTokens(2_000, "fewest tokens of a span that is folded", "up", { least: 1 }),
  summaryTokens: scaledTokens(600, "longest summary of a span in tokens", "up", {
    least: 1,
    most: maxFoldTokens,
  }),
  keepTokens: scaledTokens(20_000, "newest tokens that are not folded", "up"),
  keepRounds: count(3, "newest rounds that are not folded", { least: 1 }),
  maxSpans: count(6, "number of spans summarised at a time", { least: 1 }),
  staleMs: count(
    60_000,
    "milliseconds that a request which must not be sent unfolded waits for unfinished summaries",
  ),
};

export const foldingFlags = {
  fold: offByDefault("Replaces finished work by short summaries, instead of automatic compaction."),
};

/** Every number that folding rests on. */
export type FoldingNumbers = ValuesOf<typeof foldingSettings>;

export const foldingNumbers: FoldingNumbers = defaultsOf(foldingSettings);

/** Reads what was set. Total: a value that does not fit is passed over. */
export const foldingNumbersOf: (facts: Pick<Facts, "settings" | "thresholds">) => FoldingNumbers =
  onceAConfiguration((facts) => readValues(foldingSettings, facts.settings.folding, scaleOf(facts)));

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
