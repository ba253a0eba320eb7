import type { CompactionRecords, Facts, View, ViewItem } from "../../../spec/index.ts";
import { earlySaving } from "../../../view/economics/break-even.ts";
import { writePrice } from "../../../view/economics/dollars.ts";
import { isThrifty } from "../../../view/economics/economy.ts";
import { findUnseen, newestRoundFrom } from "../../../view/newest-answer.ts";
import { createMeasure, type Measure, measureItems } from "../../../view/tokens/measure.ts";
import { compactionNumbersOf } from "../settings.ts";
import { type CompactionBudget, compactionBudget } from "./budget.ts";
import { newTokensSince } from "./compaction-plan.ts";
import { lastingTokens } from "./plan-restoration.ts";

export interface EarlyCompactionPlan {
  readonly reason: string;
  readonly budget: CompactionBudget;
}

/**
 * Whether anything may be summed up that nothing forces: somebody wants it, the model can recall what it turns out to
 * miss, and the conversation is worth it.
 */
export function mayCompactEarly({ count }: Pick<View, "count">, facts: Facts): boolean {
  const { isRelayed = false, logAddress, headTokens = 0 } = facts;
  const canRecall = !isRelayed && logAddress === undefined;
  if (!isThrifty(facts) || !canRecall) return false;
  return count.tokens - headTokens >= compactionNumbersOf(facts).earlyMinTokens;
}

/**
 * Whether a compaction that nothing forces pays: what is no longer written and read, against writing what takes its
 * place and fetching what turns out to be missing. `null`: it may not, it does not pay, or too little is new since the
 * one before. What no model has been asked with stays as it is.
 */
export function decideEarly(
  view: View,
  facts: Facts,
  { lastAutomatic, boundarySeq }: CompactionRecords,
): EarlyCompactionPlan | null {
  if (!mayCompactEarly(view, facts)) return null;
  const unseen = findUnseen(view.items, boundarySeq);
  if (unseen?.withCalls === 0) return null;
  const numbers = compactionNumbersOf(facts);
  const { headTokens = 0, prices, cache, expectedRequests: requests } = facts;
  const budget = earlyBudget(view, facts);
  const stays = budget.totalTokens;
  const isCold = cache.state === "cold" && cache.idleMs !== undefined;
  const newTokens = numbers.earlyNewTokens;
  const isTooSoon = lastAutomatic && newTokensSince(view.items, lastAutomatic.seq, newTokens) < newTokens;
  if (isTooSoon && !isCold) return null;
  const { saves, costs } = earlySaving(
    {
      cleared: view.count.tokens - headTokens - stays,
      stays,
      promptTokens: headTokens + stays,
      isCold,
      fetches: isCold ? numbers.earlyColdFetches : numbers.earlyWarmFetches,
      requests,
    },
    { cacheRead: prices.cacheRead, cacheWrite: writePrice(facts), output: prices.output },
  );
  if (!(saves > costs)) return null;
  const factor = costs > 0 ? (saves / costs).toFixed(1) : "∞";
  const reason = `saves ${factor} times what it costs, with ${requests.toFixed(0)} requests expected${isCold ? " and a cold cache" : ""}`;
  return { reason, budget };
}

/**
 * Room for what names everything, for the newest rounds and the files in work, and on top of it for what the user said and
 * steers by.
 */
function earlyBudget(view: View, facts: Facts): CompactionBudget {
  const measure = createMeasure();
  const numbers = compactionNumbersOf(facts);
  const { earlySummaryTokens, earlyTailTokens, earlyFilesTokens } = numbers;
  const usual = compactionBudget({
    threshold: facts.thresholds.auto,
    headTokens: facts.headTokens ?? 0,
    tokensBefore: view.count.tokens,
    isTight: false,
    numbers,
  });
  const maxUserTokens = (facts.thresholds.window * numbers.userMessagesPercent) / 100;
  const said = Math.min(userTokens(view, measure), maxUserTokens) + lastingTokens(view.ledgers, measure);
  const keptTokens = Math.max(earlyTailTokens, newestRoundTokens(view.items, measure));
  const most = Math.max(usual.totalTokens, keptTokens);
  const totalTokens = Math.floor(Math.min(most, earlySummaryTokens + said + keptTokens + earlyFilesTokens));
  return {
    totalTokens,
    summaryTokens: Math.floor(earlySummaryTokens + said),
    appendixTokens: totalTokens,
    keptTokens: Math.min(keptTokens, totalTokens),
  };
}

function userTokens({ ledgers }: View, measure: Measure): number {
  return ledgers.userMessages.reduce((sum, { text }) => sum + measure(text), 0);
}

/** The model has not seen the newest results yet: whatever their size, it is to see them once. */
function newestRoundTokens(items: readonly ViewItem[], measure: Measure): number {
  return measureItems(items.slice(newestRoundFrom(items)), measure);
}
