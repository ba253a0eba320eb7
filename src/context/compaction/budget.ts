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
  readonly numbers: Pick<CompactionNumbers, "budgetPercent" | "keptTailPercent" | "maxSummaryTokens">;
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
 * smaller, less system and tools.
 */
export function compactionBudget(question: BudgetQuestion): CompactionBudget {
  const { threshold, headTokens, tokensBefore, isTight, numbers } = question;
  const room = Math.max(0, Math.min(threshold, tokensBefore) - headTokens);
  const totalTokens = Math.floor((room * numbers.budgetPercent) / (isTight ? 200 : 100));
  return {
    totalTokens,
    summaryTokens: Math.min(numbers.maxSummaryTokens, Math.floor(totalTokens * summaryShare)),
    appendixTokens: Math.floor(totalTokens * appendixShare),
    keptTokens: Math.floor((totalTokens * numbers.keptTailPercent) / 100),
  };
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
