/** The numbers of a compaction that nothing forces: chosen by replaying recorded sessions, for windows from 100,000 on. */
export interface EarlyNumbers {
  /** What may stand then beside the newest rounds, the user's words, to-dos and plan. */
  readonly summaryTokens: number;
  /** What the newest rounds may have; the newest of all stays whatever it has. */
  readonly tailTokens: number;
  /** How many new tokens there must be since the one before, while the cache is warm. */
  readonly newTokens: number;
  /** How many blocks it is expected to make the model fetch again; fewer where the user was away. */
  readonly warmFetches: number;
  readonly coldFetches: number;
}

export const earlyNumbers: EarlyNumbers = {
  summaryTokens: 6_000,
  tailTokens: 3_000,
  newTokens: 18_000,
  warmFetches: 3,
  coldFetches: 2,
};

const scaleBelowTokens = 100_000;

/** In a small window counts of tokens shrink in proportion. */
export function earlyNumbersFor(windowTokens: number): EarlyNumbers {
  const scale = Math.min(1, windowTokens / scaleBelowTokens);
  const scaled = (tokens: number) => Math.floor(tokens * scale);
  return {
    ...earlyNumbers,
    summaryTokens: scaled(earlyNumbers.summaryTokens),
    tailTokens: scaled(earlyNumbers.tailTokens),
    newTokens: scaled(earlyNumbers.newTokens),
  };
}
