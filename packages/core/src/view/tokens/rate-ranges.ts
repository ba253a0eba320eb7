import type { FeatureName } from "./features.ts";

/** What is known of a rate (tokens per unit of a feature) before anything is seen, and what no model goes beyond. */
export interface RateRange {
  readonly start: number;
  /** How far the start may be off: the smaller, the more it takes to move the rate. */
  readonly doubt: number;
  readonly min: number;
  readonly max: number;
}

/**
 * Starts are round numbers near what Claude models of 2025 and 2026 had on recorded coding sessions. The limits leave
 * room for tokenizers twice as coarse or fine: 1.7 to 8 letters a token, 0.8 to 5 digits, and so on.
 */
export const rateRanges: Readonly<Record<FeatureName, RateRange>> = {
  letters: { start: 0.25, doubt: 0.05, min: 0.12, max: 0.6 },
  digits: { start: 0.5, doubt: 0.2, min: 0.2, max: 1.2 },
  newlines: { start: 1, doubt: 0.5, min: 0.1, max: 3 },
  spaces: { start: 0.1, doubt: 0.1, min: 0.01, max: 0.6 },
  punctuation: { start: 0.7, doubt: 0.3, min: 0.25, max: 1.5 },
  extraBytes: { start: 0.4, doubt: 0.3, min: 0.05, max: 1.5 },
  opaqueBytes: { start: 0.3, doubt: 0.1, min: 0.02, max: 0.8 },
  toolUses: { start: 60, doubt: 40, min: 0, max: 400 },
  media: { start: 1_500, doubt: 800, min: 100, max: 6_000 },
};
