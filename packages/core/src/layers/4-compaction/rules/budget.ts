import type { Facts } from "../../../spec/index.ts";
import type { CompactionNumbers } from "../settings.ts";

type Thresholds = Facts["thresholds"];

export interface BudgetInput {
  /** The limit for the next request. */
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

/** The most tokens of each part of a compaction. Each is given what is left by those before it. */
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
export function compactionBudget(input: BudgetInput): CompactionBudget {
  const { threshold, headTokens, tokensBefore, isTight, numbers } = input;
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

/** Names of everything come before parts shown whole: so much is the scribe's, whatever the others want. */
const scribeTokens = 12_000;
const scribeShare = 0.95;

/** The most that the scribe may write where this is left for summary, appendix and restoration. */
export function scribeBudget(roomTokens: number, { maxSummaryTokens }: BudgetInput["numbers"]): number {
  const named = Math.min(scribeTokens, roomTokens * scribeShare);
  return Math.floor(Math.min(maxSummaryTokens, Math.max(named, roomTokens * summaryShare)));
}

/** The least part of the budget for summary, appendix and restoration, where the window has it. */
const leastShare = 0.25;
const leastTokens = 2_000;

export interface RoomInput {
  /** Of all parts together. */
  readonly totalTokens: number;
  /** Tokens that stay as they are. */
  readonly keptTokens: number;
  readonly headTokens: number;
  /** The next request should stay below the first, and must stay below the second. */
  readonly thresholds: Pick<Thresholds, "auto" | "blocking">;
}

/** Tokens for summary, appendix and restoration beside what stays as it is. */
export function roomBeside({ totalTokens, keptTokens, headTokens, thresholds }: RoomInput): number {
  const usual = totalTokens - keptTokens;
  const least = leastRoom(totalTokens);
  if (usual >= least) return usual;
  const limit = landingLimit({ totalTokens, keptTokens, headTokens, thresholds });
  return Math.max(0, usual, Math.min(least, limit - headTokens - keptTokens - 1));
}

/** The limit for the next request: the threshold, unless what must stay leaves too little room under it. */
export function landingLimit({ totalTokens, keptTokens, headTokens, thresholds }: RoomInput): number {
  const { auto, blocking } = thresholds;
  const least = leastRoom(totalTokens) / 2;
  const room = auto - headTokens;
  return room >= least && room - keptTokens < least ? blocking : auto;
}

function leastRoom(totalTokens: number): number {
  return Math.min(totalTokens, Math.max(leastTokens, Math.floor(totalTokens * leastShare)));
}

/** The effect of a compaction on a view. */
export interface CompactionEffect {
  readonly tokensBefore: number;
  readonly tokensAfter: number;
  /** System and tools, which no compaction makes smaller. */
  readonly headTokens: number;
  /** Tokens that no model has been asked with, where they leave no room for anything else. */
  readonly unseenTokens?: number;
}

/** Whether a compaction keeps what it promises: the next request is below the limit, and the messages have shrunk. */
export function isProgress(
  { tokensBefore, tokensAfter, headTokens, unseenTokens = 0 }: CompactionEffect,
  limit: number,
  minShrinkPercent: number,
): boolean {
  const open = Math.max(0, tokensBefore - headTokens - unseenTokens);
  return tokensAfter < limit && (tokensBefore - tokensAfter) * 100 >= open * minShrinkPercent;
}
