import { pricesAt } from "../../catalog/index.ts";
import type { Facts, Prices, Usage } from "../../spec/index.ts";

/** The cost of a response. Written tokens whose time to live is not said are taken for the five-minute kind. */
export function dollarsOf(usage: Usage, prices: Prices): number {
  const { input, output, cacheRead, cacheCreation, cacheCreation1h = 0 } = usage;
  const rates = pricesAt(prices, input + cacheRead + cacheCreation);
  const sum =
    input * rates.input +
    Math.max(0, cacheCreation - cacheCreation1h) * rates.cacheWrite5m +
    cacheCreation1h * rates.cacheWrite1h +
    cacheRead * rates.cacheRead +
    output * rates.output;
  return sum / 1_000_000;
}

/** The price of writing to the cache: entries that are marked to live for an hour cost more. */
export function writePrice({ prices, cache }: Pick<Facts, "prices" | "cache">): number {
  return cache.isLongMarked ? prices.cacheWrite1h : prices.cacheWrite5m;
}
