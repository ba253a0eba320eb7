import { isWorthALabel } from "../rules/worth-a-label.ts";
import { nothing, resultsIn, type Strategy, seenParts } from "../strategy.ts";

/** The cache is gone anyway, so clearing costs nothing: all but the newest results go. */
export const clearCold: Strategy = (context) => {
  const { parts, numbers } = context;
  const old = seenParts(resultsIn(parts).slice(0, -numbers.coldKeep), context).filter(isWorthALabel);
  if (old.length === 0) return nothing("the cache is cold, and there is nothing old to clear");
  return { choice: "clear", parts: old, reason: "the cache is cold: clearing is free" };
};
