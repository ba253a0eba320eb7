import type { TokenCount, ViewItem } from "../../spec/index.ts";
import { type CountedItem, measuredTokens } from "./counted-item.ts";
import { type TokenEstimate, unmeasuredTokens } from "./estimate.ts";
import { addFeatures, type Features, noFeatures } from "./features.ts";
import { featuresOf } from "./features-of.ts";

/** How features become tokens: a calibration for the model at hand, or `plainEstimate`. */
export type Estimator = (features: Features) => TokenEstimate;

/**
 * The canonical count of a view: what the newest response in it measured, plus estimates for what was added since its
 * first entry, minus `freedSince`. Without such a response, everything is estimated.
 *
 * Each token must be counted once and freed once: where an item's features are those it has now, `freedSince` is only
 * what decisions took out of what the response measured; where they are those it was added with, all that was freed
 * since. It is negative when more came back than went.
 */
export function countTokens(
  items: readonly CountedItem[],
  freedSince: number,
  estimate: Estimator,
): TokenCount {
  const boundary = items.findLastIndex((item) => item.isBoundary === true && item.isAborted !== true);
  const sent = items.slice(Math.max(0, boundary)).filter((item) => item.isAborted !== true);
  const starts = responseStarts(sent);
  for (const [order, start] of [...starts.entries()].reverse()) {
    const end = starts[order + 1] ?? sent.length;
    const isOwn = (item: CountedItem, at: number) =>
      at === start || (at > start && at < end && isSame(item, sent[start]));
    const measured = sent.filter(isOwn).map(measuredTokens).findLast(isNumber);
    if (measured === undefined) continue;
    const added = sent.filter((item, at) => at > start && !isOwn(item, at));
    return settleCount(measured, sumFeatures(added), freedSince, estimate);
  }
  return settleCount(undefined, sumFeatures(sent), freedSince, estimate);
}

function isSame(item: CountedItem, response: CountedItem | undefined): boolean {
  return item.isKept !== true && item.responseId !== undefined && item.responseId === response?.responseId;
}

function isNumber(tokens: number | undefined): tokens is number {
  return tokens !== undefined;
}

/** Where responses begin: at the first item of an id, or at an item that has usage and no id. */
function responseStarts(items: readonly CountedItem[]): readonly number[] {
  const seen = new Set<string>();
  return items.flatMap((item, at) => {
    if (item.isKept === true) return [];
    if (item.responseId === undefined) return measuredTokens(item) === undefined ? [] : [at];
    if (seen.has(item.responseId)) return [];
    seen.add(item.responseId);
    return [at];
  });
}

function sumFeatures(items: readonly CountedItem[]): Features {
  return items.reduce((sum, item) => addFeatures(sum, item.features), noFeatures);
}

/** The last step of every count. The plain rule is padded where nothing was measured: on its own it falls short. */
export function settleCount(
  measured: number | undefined,
  added: Features,
  freed: number,
  estimate: Estimator,
): TokenCount {
  const { tokens, source } = estimate(added);
  if (measured !== undefined) return { tokens: Math.max(0, measured + tokens - freed), source: "usage" };
  const rest = Math.max(0, tokens - freed);
  return { tokens: unmeasuredTokens({ tokens: rest, source }, added), source };
}

/** Tokens of items as a count that rests on no usage has them. */
export function countItems(items: readonly ViewItem[], estimate: Estimator): number {
  const features = items.reduce((sum, { block }) => addFeatures(sum, featuresOf(block)), noFeatures);
  return unmeasuredTokens(estimate(features), features);
}
