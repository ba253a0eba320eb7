import type { CacheRates } from "./break-even.ts";

/**
 * How likely a cleared result is needed again before the session ends: assumed, not measured. It only keeps results so
 * small that a recall would cost more than reading them on.
 */
export const needProbability = { standing: 0.05, superseded: 0.01 } as const;

export interface RecallRequest {
  readonly isSuperseded: boolean;
  readonly tokens: number;
  /** Of the whole prompt: a recall is one more request that reads it. */
  readonly promptTokens: number;
}

/** What clearing a result is expected to cost in recalls, in tokens at the price of `rates`. */
export function expectedRecallCost(question: RecallRequest, { cacheRead, cacheWrite }: CacheRates): number {
  const { isSuperseded, tokens, promptTokens } = question;
  const probability = isSuperseded ? needProbability.superseded : needProbability.standing;
  return probability * (cacheRead * promptTokens + cacheWrite * tokens);
}
