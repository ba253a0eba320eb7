import { featuresOf, tokensByRates, unseenFit } from "@palimpsest/core/internal";
import type { ContentBlock } from "@palimpsest/core/spec";

const known = new WeakMap<ContentBlock, number>();

/** Tokens of a block before anything is known of its session: by the rates that calibrations start with. */
export function estimatedTokens(block: ContentBlock): number {
  const before = known.get(block);
  if (before !== undefined) return before;
  const tokens = tokensByRates(unseenFit.rates, featuresOf(block));
  known.set(block, tokens);
  return tokens;
}
