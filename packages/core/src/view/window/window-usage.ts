import type { WindowThresholds } from "./window-thresholds.ts";

/** Where a count of tokens stands among the thresholds. */
export interface WindowUsage {
  /** Whole percent of the base, 0 to 100. */
  readonly percentLeft: number;
  readonly isWarning: boolean;
  readonly isError: boolean;
  /** Automatic compaction is due; never while it is off. */
  readonly isAuto: boolean;
  /** No request may be sent; compaction by hand and the engine's own forks still run. */
  readonly isBlocking: boolean;
}

export function judgeUsage(thresholds: WindowThresholds, usedTokens: number): WindowUsage {
  const { base, auto, autoEnabled, warning, error, blocking } = thresholds;
  const used = Math.max(0, usedTokens);
  return {
    percentLeft: base === 0 ? 0 : Math.max(0, Math.round(((base - used) / base) * 100)),
    isWarning: used >= warning,
    isError: used >= error,
    isAuto: autoEnabled && used >= auto,
    isBlocking: used >= blocking,
  };
}
