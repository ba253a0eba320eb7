import type { Facts, ViewItem } from "../../../../spec/index.ts";
import { requestsToBreakEven } from "../../../../view/economics/break-even.ts";
import { writePrice } from "../../../../view/economics/write-price.ts";
import type { ItemMeasure } from "./item-measure.ts";
import type { PlacedFold } from "./place-folds.ts";

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
  return `pays after ${after.toFixed(1)} requests, and ${facts.expectedRequests.toFixed(0)} are expected`;
}
