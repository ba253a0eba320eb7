import { createCatalog, normalizeModelName } from "@palimpsest/core/catalog";
import type { PreparedRecording } from "../prepared-recording.ts";
import { createCacheSimulator } from "./cache-simulator.ts";
import { type PriceRow, requestCost } from "./price-row.ts";

const catalog = createCatalog();

/** The cost of a session with nothing but system, tools and output, marked for five minutes. By price row. */
export function floorCost(
  recording: PreparedRecording,
  priceRows: readonly PriceRow[],
): Readonly<Record<string, number>> {
  const cache = createCacheSimulator({ lookBackBlocks: 1 });
  const cost = Object.fromEntries(priceRows.map(({ name }) => [name, 0]));
  for (const request of recording.session.requests) {
    const { fit, excluded } = recording.uncutSizesAt(request);
    const use = cache.use({
      atMs: request.sentMs,
      model: normalizeModelName(request.model),
      digestTo: () => "head",
      tokensTo: () => fit.overhead,
      marks: [{ position: 0, ttl: "5m" }],
      totalTokens: fit.overhead,
      minTokens: catalog.capabilities(request.model).value.minCachedPrefix,
    });
    if (excluded !== undefined) continue;
    for (const { name, prices } of priceRows)
      cost[name] = (cost[name] ?? 0) + requestCost(use, recording.outputOf(request), prices);
  }
  return cost;
}
