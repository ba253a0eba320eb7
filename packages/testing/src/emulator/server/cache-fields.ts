import type { CacheOutcome, MeasuredPrompt } from "../wire.ts";

/** What the record says of the cache. */
export function cacheFields({ tokens, blocks }: MeasuredPrompt, { hitBlock, missReason }: CacheOutcome) {
  const hitPath = blocks[hitBlock]?.path;
  return {
    promptTokens: tokens,
    hitBlock,
    ...(hitPath !== undefined && { hitPath }),
    ...(missReason !== undefined && { missReason }),
  };
}
