import type { Policy } from "../policy.ts";
import { clearableOf, createClearLayer, tokensOf } from "./tool-results.ts";

const limitTokens = 60_000;
const restTokens = 40_000;

/** As much as the token threshold clears, but at random and without a way back: any policy must be better. */
export const randomEviction: Policy = {
  name: "random",
  createLayers: ({ seed }) => [
    createClearLayer({
      id: "random",
      hasHandles: false,
      choose(results, view) {
        const candidates = clearableOf(results);
        let left = tokensOf(candidates);
        if (left <= limitTokens) return [];
        const shuffled = candidates
          .map((result) => ({ result, order: mixBits(seed, view.head, result.position) }))
          .sort((one, other) => one.order - other.order);
        const gone = new Set<string>();
        for (const { result } of shuffled) {
          if (left <= restTokens) break;
          left -= result.tokens;
          gone.add(result.toolUseId);
        }
        return candidates.filter(({ toolUseId }) => gone.has(toolUseId));
      },
    }),
  ],
};

/** A number that looks like chance and is always the same. */
function mixBits(seed: number, head: number, position: number): number {
  let state = (seed ^ Math.imul(head, 0x9e3779b1) ^ Math.imul(position, 0x85ebca6b)) >>> 0;
  state = Math.imul(state ^ (state >>> 15), state | 1);
  state ^= state + Math.imul(state ^ (state >>> 7), state | 61);
  return (state ^ (state >>> 14)) >>> 0;
}
