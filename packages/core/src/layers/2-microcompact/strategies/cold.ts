import { unknownTtlMs } from "../../../view/economics/request-gaps.ts";
import { isWorthALabel } from "../rules/worth-a-label.ts";
import { chooseNothing, resultsIn, type Strategy, seenParts } from "../strategy.ts";

/** The cache is gone anyway, so clearing costs nothing: all but the newest results go. */
export const clearCold = {
  name: "cold",
  flag: {
    name: "clear-cold",
    default: true,
    description: "Clears old tool results when the prompt cache has expired anyway.",
  },
  settings: {
    coldKeep: {
      default: 5,
      least: 1,
      description: "number of newest results kept when the cache is cold; at least 1",
    },
    coldAfterMs: {
      default: unknownTtlMs,
      least: 0,
      description:
        "milliseconds after a response until the cache counts as cold, when clearing old results costs nothing; default: the lifetime of the cache, or this where it is unknown",
      whereNotSet: ({ cache }) => cache.ttlMs,
    },
  },
  /** There was a response, and what it left in the cache is gone, or of no use to the model that is asked now. */
  isPossible({ facts: { cache }, numbers }) {
    if (cache.idleMs === undefined) return false;
    return cache.isOtherModel === true || cache.idleMs >= numbers.coldAfterMs;
  },
  choose(context) {
    const { parts, numbers } = context;
    const old = seenParts(resultsIn(parts).slice(0, -numbers.coldKeep), context).filter(isWorthALabel);
    if (old.length === 0) return chooseNothing("the cache is cold, and there is nothing old to clear");
    return { choice: "clear", parts: old, reason: "the cache is cold: clearing is free" };
  },
} satisfies Strategy;
