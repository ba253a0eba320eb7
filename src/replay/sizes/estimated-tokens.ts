import { tokensByRates, unseenFit } from "../../context/tokens/fit-rates.ts";
import { featuresOf } from "../../context/tokens/index.ts";
import type { ContentBlock } from "../../spec/index.ts";

const known = new WeakMap<ContentBlock, number>();

/** Tokens of a block before anything is known of its session: by the rates that calibrations start with. */
export function estimatedTokens(block: ContentBlock): number {
  const before = known.get(block);
  if (before !== undefined) return before;
  const tokens = tokensByRates(unseenFit.rates, featuresOf(block));
  known.set(block, tokens);
  return tokens;
}
