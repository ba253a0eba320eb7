import { count } from "../../../settings/declare.ts";
import { offByDefault } from "../../../settings/flag.ts";
import type { Facts } from "../../../spec/index.ts";
import { chooseNothing, resultsIn, type Strategy, seenParts } from "../strategy.ts";

const settings = {
  cacheEditTrigger: count(25, "number of results above which cache edits start"),
  cacheEditKeep: count(10, "number of newest results that cache edits leave"),
};

const flags = {
  "clear-cache-edits": offByDefault("Deletes tool results from the cached prefix where the endpoint can."),
};

/**
 * The provider deletes results from the prefix it has cached, which stays readable: past a number of them the oldest go
 * in one edit, which stands behind the newest block. What was not in an answered request is not cached, and waits.
 */
export const clearByCacheEdits: Strategy<typeof settings, typeof flags> = {
  name: "cache-edits",
  flags,
  settings,
  isPossible: ({ facts: { source, capabilities }, withoutCacheEdits }) =>
    source === "main" && capabilities.cacheEdits && !withoutCacheEdits,
  choose(context) {
    const { view, facts, numbers, parts } = context;
    const { cacheEditTrigger, cacheEditKeep } = numbers;
    const unknown = cacheUnknownReason(facts);
    if (unknown !== null) return chooseNothing(unknown);
    const results = resultsIn(parts).filter(({ toolUseId }) => !view.sparedResults.has(toolUseId));
    if (results.length <= cacheEditTrigger)
      return chooseNothing(`${results.length} results are not over ${cacheEditTrigger}`);
    const old = results.slice(0, Math.max(0, results.length - cacheEditKeep));
    const cached = seenParts(old, context).filter(({ position }) => position < view.sentItems);
    if (cached.length === 0) return chooseNothing("the old results are not cached yet");
    const newest = view.items.at(-1);
    if (newest?.role !== "user") return chooseNothing("the newest message is not the user's");
    return {
      choice: "edit",
      parts: cached,
      behind: { entry: newest.entry, block: newest.index },
      reason: `${results.length} results are over ${cacheEditTrigger}: the oldest ${cached.length} are deleted from the cache`,
    };
  },
};

/** An edit of what is not cached is refused: it takes a cache that is warm, is used, and is watched. */
function cacheUnknownReason({ cache, statistics, settings }: Facts): string | null {
  if (cache.state === "cold") return "the cache is cold";
  if (statistics.cacheReadTokens + statistics.cacheCreationTokens === 0) return "nothing is cached";
  const { flags } = settings;
  return flags?.["prefix-guard"] ? null : "the cache state is unknown, since the prefix guard is off";
}
