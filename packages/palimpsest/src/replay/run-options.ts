import type { CacheTtl, PriceRow } from "./cost/price-row.ts";
import type { RunWatch } from "./run-watch.ts";

export interface RunOptions {
  readonly ttl: CacheTtl;
  readonly lookBackBlocks: number;
  /** See `CacheSimulatorOptions`. */
  readonly storesEveryBlock?: boolean;
  /** What the policy's layers are told that tokens cost. */
  readonly prices: PriceRow;
  /** What is reported. */
  readonly priceRows: readonly PriceRow[];
  /** A block that a call needs and the view does not hold is fetched first: one more request, and its content stays. */
  readonly fetchesMissing: boolean;
  /** The recorded harness did not compact: its summaries are messages like others, and contexts grow past them. */
  readonly ignoresBoundaries?: boolean;
  readonly watch?: RunWatch;
}
