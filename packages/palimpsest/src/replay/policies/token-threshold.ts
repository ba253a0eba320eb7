import type { Policy } from "../policy.ts";
import {
  allButNewest,
  clearableOf,
  createClearLayer,
  tokensOf,
  type UnreplacedResult,
} from "./tool-results.ts";

const thresholdTokens = 40_000;
const keeps = 3;
const minSavedTokens = 20_000;

/** Oldest first until at most 40,000 tokens of results remain, if that saves at least 20,000 (spec/03.4). */
export const tokenThreshold: Policy = {
  name: "token-threshold",
  createLayers: () => [
    createClearLayer({
      id: "token-threshold",
      hasHandles: true,
      choose: (results) => overThreshold(clearableOf(results)),
    }),
  ],
};

function overThreshold(results: readonly UnreplacedResult[]): readonly UnreplacedResult[] {
  let left = tokensOf(results);
  const gone: UnreplacedResult[] = [];
  for (const result of allButNewest(results, keeps)) {
    if (left <= thresholdTokens) break;
    left -= result.tokens;
    gone.push(result);
  }
  return tokensOf(gone) >= minSavedTokens ? gone : [];
}
