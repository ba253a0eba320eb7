import { createCatalog } from "@palimpsest/core/catalog";
import type { PreparedRecording } from "../prepared-recording.ts";
import { createCacheSimulator } from "./cache-simulator.ts";
import { type CacheTtl, type PriceRow, requestCost, ttlMsOf } from "./price-row.ts";

const catalog = createCatalog();

/** What the session costs with nothing but system, tools and output: no policy can cost less. By price row. */
export function floorCost(
  recording: PreparedRecording,
  priceRows: readonly PriceRow[],
  ttl: CacheTtl,
): Readonly<Record<string, number>> {
  const cache = createCacheSimulator({ ttlMs: ttlMsOf[ttl], lookBackBlocks: 1 });
  const cost = Object.fromEntries(priceRows.map(({ name }) => [name, 0]));
  for (const request of recording.session.requests) {
    const { model, sentMs, segment } = request;
    const { fit, excluded } = recording.sizesAt(request);
    const use = cache.use({
      atMs: sentMs,
      model,
      digestTo: (position) => (position === 0 ? "shared" : `segment ${segment}`),
      tokensTo: (position) =>
        position === 0 ? Math.min(recording.sharedOverhead, fit.overhead) : fit.overhead,
      breakpoints: [0, 1],
      totalTokens: fit.overhead,
      minTokens: catalog.capabilities(model).value.minCachedPrefix,
    });
    if (excluded !== undefined) continue;
    for (const { name, prices } of priceRows)
      cost[name] = (cost[name] ?? 0) + requestCost(use, recording.outputOf(request), prices, ttl);
  }
  return cost;
}
