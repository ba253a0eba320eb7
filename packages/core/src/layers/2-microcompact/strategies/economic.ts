import type { Facts, ViewItem } from "../../../spec/index.ts";
import type { ClearablePart } from "../../../view/clearing/clearable-parts.ts";
import { supersededInputs, supersededResults } from "../../../view/clearing/superseded.ts";
import {
  type CachedEdit,
  type CacheRates,
  editSaving,
  expectedRecallCost,
  requestsToBreakEven,
} from "../../../view/economics/break-even.ts";
import { writePrice } from "../../../view/economics/dollars.ts";
import { itemTokens } from "../rules/item-tokens.ts";
import { protectedResults } from "../rules/protected-results.ts";
import { isWorthALabel } from "../rules/worth-a-label.ts";
import {
  type ClearingContext,
  chooseNothing,
  freedBy,
  freedByAll,
  resultsIn,
  type Strategy,
  seenParts,
  sumTokens,
} from "../strategy.ts";

/** A batch, and what the provider has to write again because of it. */
interface Batch extends CachedEdit {
  readonly parts: readonly ClearablePart[];
}

/**
 * Clears when it is expected to pay: what stands behind the first edited position is written again once, what was
 * cleared is no longer read with every request. Of all batches that reach from some position to the end, the one that
 * saves most is taken, if it saves anything and is large enough.
 */
export const clearEconomically = {
  name: "economic",
  settings: {
    economicKeep: {
      default: 3,
      least: 0,
      description: "number of newest results that economic clearing never touches",
    },
    economicMinBatchTokens: {
      default: 40_000,
      least: 0,
      description: "fewest tokens economic clearing frees at a time, since each time breaks the cache",
    },
  },
  choose(context) {
    const { facts, numbers, parts } = context;
    if (freedByAll(parts) < numbers.economicMinBatchTokens)
      return chooseNothing("there is too little to clear");
    const open = openParts(context);
    const rates = ratesOf(facts);
    const requests = facts.expectedRequests;
    const best = bestBatch(open, context, rates, requests);
    const isLarge = (batch: Batch) => batch.cleared - batch.stays >= numbers.economicMinBatchTokens;
    if (best && isLarge(best)) {
      const after = requestsToBreakEven(best, rates);
      const reason = `saves money after ${after.toFixed(1)} requests; ${requests.toFixed(0)} are expected`;
      return { choice: "clear", parts: best.parts, reason };
    }
    const all = batchFrom(open, context);
    const near = requestsToCompaction(context);
    if (isLarge(all) && near < requestsToBreakEven(all, rates))
      return {
        choice: "clear",
        parts: all.parts,
        reason: `avoids a compaction in ${near.toFixed(0)} requests`,
      };
    return chooseNothing(
      best ? "what pays is too little to break the cache for" : "clearing does not pay yet",
    );
  },
} satisfies Strategy;

function ratesOf(facts: Facts): CacheRates {
  return { cacheWrite: writePrice(facts), cacheRead: facts.prices.cacheRead };
}

/** How many requests fit before automatic compaction, as the session has grown so far. */
function requestsToCompaction({ view, facts }: ClearingContext): number {
  const { switches } = facts.settings;
  const { responses } = facts.statistics;
  if (switches?.autoCompact === false || responses === 0) return Number.POSITIVE_INFINITY;
  const growth = view.count.tokens / responses;
  return Math.max(0, facts.thresholds.auto - view.count.tokens) / Math.max(1, growth);
}

/** All of it at once. */
function batchFrom(open: readonly ClearablePart[], { view }: ClearingContext): Batch {
  const first = open[0]?.position ?? view.items.length;
  const cleared = sumTokens(open);
  const stays = cleared - freedBy(open);
  const behind = view.items.slice(first).reduce((sum, item) => sum + itemTokens(item), 0) - cleared;
  return { parts: open, cleared, stays, behind };
}

/**
 * Clearable results: not the newest ones, nothing protected, only those larger than their label, and those likely to be
 * needed again only where a recall would cost less than keeping them.
 */
function openParts(context: ClearingContext): readonly ClearablePart[] {
  const { view, parts, numbers, facts } = context;
  const results = resultsIn(parts);
  const newest = new Set(results.slice(Math.max(0, results.length - numbers.economicKeep)));
  const isProtected = protectedResults(view);
  const oldInputs = supersededInputs(parts);
  const oldResults = supersededResults(parts);
  const rates = ratesOf(facts);
  const promptTokens = view.count.tokens;
  const pays = ({ toolUseId, tokens, labelTokens }: ClearablePart) => {
    const isSuperseded = oldResults.has(toolUseId) || oldInputs.has(toolUseId);
    const recall = expectedRecallCost({ isSuperseded, tokens, promptTokens }, rates);
    return facts.expectedRequests * rates.cacheRead * (tokens - labelTokens) > recall;
  };
  return seenParts(parts, context).filter(
    (part) =>
      !newest.has(part) &&
      !isProtected(part) &&
      isWorthALabel(part) &&
      pays(part) &&
      (part.part === "result" || oldInputs.has(part.toolUseId)),
  );
}

function bestBatch(
  open: readonly ClearablePart[],
  { view }: ClearingContext,
  rates: CacheRates,
  requests: number,
): Batch | null {
  let best: { readonly from: number; readonly edit: CachedEdit } | null = null;
  let bestSaving = 0;
  let cleared = 0;
  let stays = 0;
  let behind = 0;
  let position = view.items.length - 1;
  for (let at = open.length - 1; at >= 0; at -= 1) {
    const part = open[at] as ClearablePart;
    for (; position > part.position; position -= 1) behind += itemTokens(view.items[position] as ViewItem);
    position -= 1;
    cleared += part.tokens;
    stays += part.labelTokens;
    const edit = { cleared, stays, behind };
    const saving = editSaving(edit, rates, requests);
    if (saving <= bestSaving) continue;
    bestSaving = saving;
    best = { from: at, edit };
  }
  return best && { parts: open.slice(best.from), ...best.edit };
}
