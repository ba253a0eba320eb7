import type { CacheUse } from "./cost/cache-simulator.ts";
import { type PriceRow, requestCost } from "./cost/price-row.ts";
import type { AtomType } from "./grounding/extract-atoms.ts";
import { addLosses, type LossCause, type Losses } from "./grounding/need-state.ts";
import { createSurvival, type Survival } from "./grounding/survival.ts";
import { createRetentionTally, type RetentionTally } from "./retention/retention-tally.ts";
import type { RunReport } from "./run-report.ts";

export type BreakCause = keyof RunReport["breaks"];

/** Adds up what a run does, request by request. */
export interface RunTally {
  readonly survival: Survival;
  readonly retention: RetentionTally;
  /** Something that is far away is neither in view nor one recall away. */
  lost(type: AtomType, cause: LossCause): void;
  request(use: CacheUse, output: number, window: number): void;
  /** A read that kept the cache warm: it is paid for, and is no request of the session's. */
  keptWarm(use: CacheUse, output: number): void;
  broke(cause: BreakCause, rewrittenTokens: number): void;
  invalidatedThinking(blocks: number): void;
  invalid(): void;
  fetched(tool: string, tokens: number): void;
  report(): RunReport;
}

export function createRunTally(priceRows: readonly PriceRow[]): RunTally {
  const survival = createSurvival();
  const retention = createRetentionTally();
  const farLosses: Record<string, Losses> = {};
  const sizes: number[] = [];
  const cost: Record<string, number> = Object.fromEntries(priceRows.map(({ name }) => [name, 0]));
  const warmCost = { ...cost };
  const tokens = { read: 0, written: 0, uncached: 0, output: 0 };
  const breaks = { policy: 0, idle: 0, recorded: 0 };
  const byTool: Record<string, number> = {};
  const sums = { requests: 0, rewritten: 0, context: 0, peak: 0, overflows: 0, invalid: 0, thinking: 0 };
  const fetches = { blocks: 0, tokens: 0 };
  let warmReads = 0;

  function pay(use: CacheUse, output: number, sums: Record<string, number>): void {
    for (const { name, prices } of priceRows)
      sums[name] = (sums[name] ?? 0) + requestCost(use, output, prices);
  }

  return {
    survival,
    retention,
    lost(type, cause) {
      farLosses[type] = addLosses(farLosses[type] ?? {}, { [cause]: 1 });
    },
    request(use, output, window) {
      const size = use.read + use.written + use.uncached;
      pay(use, output, cost);
      tokens.read += use.read;
      tokens.written += use.written;
      tokens.uncached += use.uncached;
      tokens.output += output;
      sums.requests += 1;
      sums.context += size;
      sizes.push(Math.round(size));
      sums.peak = Math.max(sums.peak, size);
      if (size > window) sums.overflows += 1;
    },
    keptWarm(use, output) {
      warmReads += 1;
      pay(use, output, cost);
      pay(use, output, warmCost);
    },
    broke(cause, rewrittenTokens) {
      breaks[cause] += 1;
      if (cause === "policy") sums.rewritten += rewrittenTokens;
    },
    invalidatedThinking(blocks) {
      sums.thinking += blocks;
    },
    invalid() {
      sums.invalid += 1;
    },
    fetched(tool, count) {
      fetches.blocks += 1;
      fetches.tokens += count;
      byTool[tool] = (byTool[tool] ?? 0) + 1;
    },
    report: () => ({
      cost,
      requests: sums.requests,
      tokens,
      breaks,
      rewrittenTokens: sums.rewritten,
      invalidatedThinking: sums.thinking,
      contextTokens: sums.context,
      sizes,
      peakTokens: sums.peak,
      overflows: sums.overflows,
      invalid: sums.invalid,
      survival,
      farLosses,
      retention: retention.retention(),
      fetches: { ...fetches, byTool },
      keepWarm: { reads: warmReads, cost: warmCost },
    }),
  };
}
