import type { Rates } from "../../spec/index.ts";
import type { CacheTtl, RequestGaps } from "./request-gaps.ts";

export interface TtlInput {
  readonly gaps: RequestGaps;
  /** Tokens of the whole prompt, and how many of them each request adds. */
  readonly promptTokens: number;
  readonly addedTokens: number;
  readonly prices: Pick<Rates, "cacheWrite5m" | "cacheWrite1h" | "cacheRead">;
}

/** What a prompt is taken to be like: assumed, for a coding agent in the middle of its work. */
export const usualPrompt = { promptTokens: 100_000, addedTokens: 2_500 } as const;

/** Before so many gaps were seen, nothing is known of a user. */
export const minGaps = 50;

/**
 * Which time to live is cheaper for a user with these gaps. The longer one costs more on everything that is written and
 * saves writing the whole prompt again after each gap between five minutes and an hour.
 */
export function chooseTtl({ gaps, promptTokens, addedTokens, prices }: TtlInput): CacheTtl {
  const { cacheWrite5m, cacheWrite1h, cacheRead } = prices;
  const requests = gaps.short + gaps.middle + gaps.long;
  if (requests < minGaps) return "5m";
  const written = requests * addedTokens + gaps.long * promptTokens;
  const short = cacheWrite5m * (written + gaps.middle * promptTokens);
  const long = cacheWrite1h * written + cacheRead * gaps.middle * promptTokens;
  return long < short ? "1h" : "5m";
}
