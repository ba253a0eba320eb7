import { createCatalog, pricesAt } from "@palimpsest/core/catalog";
import type { Prices } from "@palimpsest/core/spec";
import type { CacheUse } from "./cache-simulator.ts";

/** Prices of tokens, under a name. */
export interface PriceRow {
  readonly name: string;
  readonly prices: Prices;
}

export type CacheTtl = "5m" | "1h";

/** The lifetime that requests mark: one for all of them, or as each marks it. */
export type TtlChoice = CacheTtl | "auto";

export const ttlMsOf: Readonly<Record<CacheTtl, number>> = { "5m": 300_000, "1h": 3_600_000 };

/** Prices as parts of the price of input, with reading from the cache at so many of them. */
export function ratioRow(cacheRead: number): PriceRow {
  const prices = { input: 1, cacheWrite5m: 1.25, cacheWrite1h: 2, cacheRead, output: 5 };
  return { name: String(cacheRead), prices };
}

/** The catalog's prices for a model, by any of its names; `null` for a name it does not know. */
export function modelRow(model: string): PriceRow | null {
  const found = createCatalog().prices(model);
  return found.known ? { name: model, prices: found.value } : null;
}

/** The three that every report has. */
export const ratioRows: readonly PriceRow[] = [0.1, 0.05, 0.025].map(ratioRow);

/** The cost of one request in millionths of the price's unit. */
export function requestCost(use: CacheUse, output: number, prices: Prices): number {
  const { read, written, uncached, writtenForHour } = use;
  const rates = pricesAt(prices, read + written + uncached);
  const writing = (written - writtenForHour) * rates.cacheWrite5m + writtenForHour * rates.cacheWrite1h;
  return read * rates.cacheRead + writing + uncached * rates.input + output * rates.output;
}
