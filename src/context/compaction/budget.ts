import type { CompactionNumbers } from "./numbers.ts";

export interface BudgetQuestion {
  /** What the next request must stay under. */
  readonly threshold: number;
  /** System and tools. */
  readonly headTokens: number;
  /** Of the view as it is. */
  readonly tokensBefore: number;
  /** The one before turned out not to help, or the provider's window is smaller than is known: half of it. */
  readonly isTight: boolean;
  readonly numbers: Pick<
    CompactionNumbers,
    "budgetPercent" | "keptTailPercent" | "maxSummaryTokens" | "maxTokens"
  >;
}

/** What each part of a compaction may have at most. Each is given what is left by those before it. */
export interface CompactionBudget {
  /** All parts together. */
  readonly totalTokens: number;
  readonly summaryTokens: number;
  readonly appendixTokens: number;
  readonly keptTokens: number;
}

/** The largest summary and appendix leave room for the others. */
const summaryShare = 0.4;
const appendixShare = 0.2;

/**
 * Summary, appendix, restoration and kept tail share one budget: a part of the threshold, or of the view where that is
 * smaller, less system and tools; and never more than was set.
 */
export function compactionBudget(question: BudgetQuestion): CompactionBudget {
  const { threshold, headTokens, tokensBefore, isTight, numbers } = question;
  const room = Math.max(0, Math.min(threshold, tokensBefore) - headTokens);
  const { maxTokens = Number.POSITIVE_INFINITY } = numbers;
  const usual = Math.min((room * numbers.budgetPercent) / 100, maxTokens);
  const totalTokens = Math.floor(isTight ? usual / 2 : usual);
  return {
    totalTokens,
    summaryTokens: Math.min(numbers.maxSummaryTokens, Math.floor(totalTokens * summaryShare)),
    appendixTokens: Math.floor(totalTokens * appendixShare),
    keptTokens: Math.floor((totalTokens * numbers.keptTailPercent) / 100),
  };
}

/** What names everything comes before what shows some of it whole: so much is the scribe's, whatever the others want. */
const scribeTokens = 12_000;
const scribeShare = 0.95;

/** The most that the scribe may write where this is left for summary, appendix and restoration. */
export function scribeBudget(roomTokens: number, { maxSummaryTokens }: BudgetQuestion["numbers"]): number {
  const named = Math.min(scribeTokens, roomTokens * scribeShare);
  return Math.floor(Math.min(maxSummaryTokens, Math.max(named, roomTokens * summaryShare)));
}

/** Whether a compaction keeps what it promises: the next request is below the threshold, and the view has shrunk. */
export function isProgress(
  tokensBefore: number,
  tokensAfter: number,
  threshold: number,
  minShrinkPercent: number,
): boolean {
  return tokensAfter < threshold && tokensAfter * 100 <= tokensBefore * (100 - minShrinkPercent);
}
