import type { Facts } from "../../spec/index.ts";
import { unknownTtlMs } from "../../view/economics/request-gaps.ts";
import { onceAConfiguration } from "../../view/setting-values.ts";

/** Every number this layer rests on; each can be set under `microcompact`. */
export interface MicrocompactNumbers {
  /** Cold: how many of the newest results stay; never fewer than 1. */
  readonly coldKeep: number;
  /** Cold after so long without a response: where it is not set, the time to live, and this where that is not known. */
  readonly coldAfterMs: number;
  /** Server-side clearing begins at this many input tokens at the latest. */
  readonly serverTriggerTokens: number;
  /** And this far before automatic compaction. */
  readonly serverMarginTokens: number;
  /** What server-side clearing leaves. */
  readonly serverTargetTokens: number;
  /** Turns whose thinking server-side clearing keeps; 0 keeps all. */
  readonly serverThinkingTurns: number;
  /** Cache edits begin past this many results, and leave the newest so many. */
  readonly cacheEditTrigger: number;
  readonly cacheEditKeep: number;
  /** Results that exceed so many tokens are cleared down to it, if that saves enough. */
  readonly thresholdTokens: number;
  readonly thresholdKeep: number;
  readonly thresholdMinSavedTokens: number;
  /** Economic: the newest results that stay, and the smallest batch that is worth a break of the cache. */
  readonly economicKeep: number;
  readonly economicMinBatchTokens: number;
}

export const microcompactNumbers: MicrocompactNumbers = {
  coldKeep: 5,
  coldAfterMs: unknownTtlMs,
  serverTriggerTokens: 180_000,
  serverMarginTokens: 5_000,
  serverTargetTokens: 40_000,
  serverThinkingTurns: 1,
  cacheEditTrigger: 25,
  cacheEditKeep: 10,
  thresholdTokens: 40_000,
  thresholdKeep: 3,
  thresholdMinSavedTokens: 20_000,
  economicKeep: 3,
  economicMinBatchTokens: 40_000,
};

/** Reads what was set. Total: a value that is no count is passed over. */
export function numbersOf({ settings, cache }: Pick<Facts, "settings" | "cache">): MicrocompactNumbers {
  const { numbers, isColdSet } = readNumbers({ settings });
  return isColdSet || cache.ttlMs === undefined ? numbers : { ...numbers, coldAfterMs: cache.ttlMs };
}

const readNumbers = onceAConfiguration(({ settings }: Pick<Facts, "settings">) => {
  const given = Object.entries((settings.microcompact ?? {}) as Record<string, unknown>);
  const sound = given.filter(([, value]) => Number.isSafeInteger(value) && (value as number) >= 0);
  const set: MicrocompactNumbers = { ...microcompactNumbers, ...Object.fromEntries(sound) };
  const numbers = { ...set, coldKeep: Math.max(1, set.coldKeep) };
  return { numbers, isColdSet: sound.some(([name]) => name === "coldAfterMs") };
});
