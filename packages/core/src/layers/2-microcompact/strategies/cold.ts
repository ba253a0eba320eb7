import { count } from "../../../settings/declare.ts";
import { onByDefault } from "../../../settings/flag.ts";
import { unknownTtlMs } from "../../../view/economics/request-gaps.ts";
import { servedParts, servedThinking } from "../rules/served-purpose.ts";
import { chooseNothing, resultsIn, type Strategy } from "../strategy.ts";

const settings = {
  coldKeep: count(5, "number of newest results kept when the cache is cold; at least 1", { least: 1 }),
  coldAfterMs: count(
    unknownTtlMs,
    "milliseconds after a response until the cache counts as cold, when clearing old results costs nothing; default: the lifetime of the cache, or this where it is unknown",
    { whereNotSet: ({ cache }) => cache.ttlMs },
  ),
};

const flags = {
  "clear-cold": onByDefault("Clears old tool results when the prompt cache has expired anyway."),
};

/** The cache is gone anyway, so clearing costs nothing: everything outside the working set goes. */
export const clearCold: Strategy<typeof settings, typeof flags> = {
  name: "cold",
  flags,
  settings,
  /** There was a response, and what it left in the cache is gone, or of no use to the model that is asked now. */
  isPossible({ facts: { cache }, numbers }) {
    if (cache.idleMs === undefined) return false;
    return cache.isOtherModel === true || cache.idleMs >= numbers.coldAfterMs;
  },
  choose(context) {
    const { parts, numbers } = context;
    const newest = new Set(resultsIn(parts).slice(-numbers.coldKeep));
    const old = servedParts(context).filter((part) => !newest.has(part));
    const thinking = servedThinking(context);
    if (old.length === 0 && !thinking)
      return chooseNothing("the cache is cold, and there is nothing old to clear");
    return {
      choice: "clear",
      parts: old,
      ...(thinking && { thinking }),
      reason: "the cache is cold: clearing is free",
    };
  },
};
