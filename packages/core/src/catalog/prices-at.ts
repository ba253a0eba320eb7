import type { Prices, Rates } from "../spec/index.ts";

/** The rates of a request whose input, cached parts counted, has so many tokens: one tier holds for all of it. */
export function pricesAt(prices: Prices, inputTokens: number): Rates {
  const { above } = prices;
  return above !== undefined && inputTokens > above.tokens ? above : prices;
}
