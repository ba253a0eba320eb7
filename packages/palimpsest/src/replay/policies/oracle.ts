import { writePrice } from "@palimpsest/core/internal";
import type { Facts, View } from "@palimpsest/core/spec";
import type { Future } from "../grounding/find-needs.ts";
import type { Policy } from "../policy.ts";
import { estimatedTokens } from "../sizes/prompt-content.ts";
import { allButNewest, createClearLayer, labelTokens, type UnreplacedResult } from "./tool-results.ts";

const keeps = 1;

/**
 * Clears results with hindsight: those that nothing to come needs, when the cache is cold or when the requests that
 * are really left pay for writing the rest again. A ceiling for clearing results; it never changes anything else.
 */
export const oracle: Policy = {
  name: "oracle",
  isPriceSensitive: true,
  createLayers: ({ future }) => [
    createClearLayer({
      id: "oracle",
      hasHandles: true,
      choose: (results, view, facts) => chooseUnneeded(results, view, facts, future),
    }),
  ],
};

function chooseUnneeded(
  results: readonly UnreplacedResult[],
  view: View,
  facts: Facts,
  future: Future,
): readonly UnreplacedResult[] {
  const unneeded = allButNewest(results, keeps)
    .filter(({ isClearable, tokens }) => isClearable && tokens > 2 * labelTokens)
    .filter(({ toolUseId }) => !future.needsResult(toolUseId));
  if (unneeded.length === 0 || facts.cache.state === "cold") return unneeded;
  const freed = unneeded.reduce((sum, { tokens }) => sum + tokens - labelTokens, 0);
  const rest = view.items.reduce((sum, { block }) => sum + estimatedTokens(block), 0) - freed;
  const saved = (future.requestsLeft() - 1) * facts.prices.cacheRead * freed;
  return saved > 2 * (writePrice(facts) - facts.prices.cacheRead) * rest ? unneeded : [];
}
