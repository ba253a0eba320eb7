import { count } from "../../../settings/declare.ts";
import type { Facts, ViewItem } from "../../../spec/index.ts";
import type { ClearablePart } from "../../../view/clearing/clearable-parts.ts";
import {
  type CachedEdit,
  type CacheRates,
  editSaving,
  requestsToBreakEven,
} from "../../../view/economics/break-even.ts";
import { writePrice } from "../../../view/economics/dollars.ts";
import type { FormerThinking } from "../../../view/thinking/former-thinking.ts";
import { workingSetNumbers } from "../../../view/working-set/working-set.ts";
import { itemTokens } from "../rules/item-tokens.ts";
import { servedParts, servedThinking } from "../rules/served-purpose.ts";
import { type ClearingContext, chooseNothing, freedByAll, resultsIn, type Strategy } from "../strategy.ts";

const settings = {
  economicKeep: count(3, "number of newest results that economic clearing never touches"),
  economicMinBatchTokens: count(
    20_000,
    "fewest tokens economic clearing frees at a time, since each time breaks the cache",
  ),
  economicMaxRequests: count(
    10,
    "number of requests within which economic clearing must have paid for itself, where more are expected before the cache is cold",
  ),
  workingRequests: count(
    workingSetNumbers.workingRequests,
    "number of newest requests whose tool calls and results stay, and with them readings of the files they changed",
  ),
  workingReadRequests: count(
    workingSetNumbers.workingReadRequests,
    "number of requests for which a file stays that was read and not changed since; it stays for the turn in any case",
  ),
  workingReadFiles: count(
    workingSetNumbers.workingReadFiles,
    "number of files at most that stay because they were read and not changed since; the ones read last",
  ),
  workingChangedFiles: count(
    workingSetNumbers.workingChangedFiles,
    "number of files changed last whose readings stay",
  ),
  workingFiles: count(
    workingSetNumbers.workingFiles,
    "number of files changed last for which whole contents that the model wrote stay",
  ),
};

/** Something that may be taken out, and where it stands. */
interface Removal extends Pick<ClearablePart, "position" | "tokens" | "labelTokens"> {
  readonly part?: ClearablePart;
}

/** All removals from one position on, and what the provider has to write again because of it. */
interface Batch extends CachedEdit {
  readonly removals: readonly Removal[];
}

/**
 * Clears outside the working set when it pays soon: what stands behind the first edited position is written again once,
 * what was cleared is no longer read with every request. Of all batches that reach from some position to the end, the
 * one that saves most is taken, if it saves anything and is large enough.
 */
export const clearEconomically: Strategy<typeof settings> = {
  name: "economic",
  flags: {},
  settings,
  choose(context) {
    const { facts, numbers, parts } = context;
    const thinking = servedThinking(context);
    if (freedByAll(parts) + (thinking?.tokens ?? 0) < numbers.economicMinBatchTokens)
      return chooseNothing("there is too little to clear");
    const removals = removalsIn(context, thinking);
    const rates = ratesOf(facts);
    const requests = Math.min(facts.expectedRequests, numbers.economicMaxRequests);
    const best = bestBatch(removals, context, rates, requests);
    const isLarge = (batch: Batch) => batch.cleared - batch.stays >= numbers.economicMinBatchTokens;
    const clear = (batch: Batch, reason: string) => {
      const hasThinking = batch.removals.some(({ part }) => part === undefined);
      return {
        choice: "clear",
        parts: batch.removals.flatMap(({ part }) => part ?? []),
        ...(thinking && hasThinking && { thinking }),
        reason,
      } as const;
    };
    if (best && isLarge(best)) {
      const after = requestsToBreakEven(best, rates);
      return clear(
        best,
        `saves money after ${after.toFixed(1)} requests; ${requests.toFixed(0)} are expected`,
      );
    }
    const all = batchOfAll(removals, context);
    const near = requestsToCompaction(context);
    if (isLarge(all) && near < requestsToBreakEven(all, rates))
      return clear(all, `avoids a compaction in ${near.toFixed(0)} requests`);
    return chooseNothing(
      best ? "what pays is too little to break the cache for" : "clearing does not pay yet",
    );
  },
};

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

/** Oldest first. All thinking of former turns goes together, from where the first of it stands. */
function removalsIn(context: ClearingContext, thinking: FormerThinking | null): readonly Removal[] {
  const { parts, numbers } = context;
  const results = resultsIn(parts);
  const newest = new Set(results.slice(Math.max(0, results.length - numbers.economicKeep)));
  const removals: Removal[] = servedParts(context)
    .filter((part) => !newest.has(part))
    .map((part) => ({
      part,
      position: part.position,
      tokens: part.tokens,
      labelTokens: part.labelTokens,
    }));
  if (!thinking) return removals;
  const { position, tokens } = thinking;
  const at = removals.findIndex((removal) => removal.position > position);
  removals.splice(at === -1 ? removals.length : at, 0, { position, tokens, labelTokens: 0 });
  return removals;
}

/** Every batch that reaches from one of the removals to the end, the smallest first. What is new is written in any case. */
function* batchesIn(
  removals: readonly Removal[],
  { view, unseenFrom }: ClearingContext,
): Generator<{ readonly from: number; readonly edit: CachedEdit }> {
  let cleared = 0;
  let stays = 0;
  let all = 0;
  let position = Math.min(unseenFrom, view.items.length) - 1;
  for (let from = removals.length - 1; from >= 0; from -= 1) {
    const removal = removals[from] as Removal;
    for (; position >= removal.position; position -= 1) all += itemTokens(view.items[position] as ViewItem);
    cleared += removal.tokens;
    stays += removal.labelTokens;
    yield { from, edit: { cleared, stays, behind: Math.max(0, all - cleared) } };
  }
}

function batchOfAll(removals: readonly Removal[], context: ClearingContext): Batch {
  let edit: CachedEdit = { cleared: 0, stays: 0, behind: 0 };
  for (const batch of batchesIn(removals, context)) edit = batch.edit;
  return { removals, ...edit };
}

function bestBatch(
  removals: readonly Removal[],
  context: ClearingContext,
  rates: CacheRates,
  requests: number,
): Batch | null {
  let best: { readonly from: number; readonly edit: CachedEdit } | null = null;
  let bestSaving = 0;
  for (const batch of batchesIn(removals, context)) {
    const saving = editSaving(batch.edit, rates, requests);
    if (saving <= bestSaving) continue;
    bestSaving = saving;
    best = batch;
  }
  return best && { removals: removals.slice(best.from), ...best.edit };
}
