import type { Usage } from "../spec/index.ts";

const parts = ["input", "output", "cacheRead", "cacheCreation"] as const;
const splits = ["cacheCreation5m", "cacheCreation1h"] as const;

/** What was paid besides the answer itself, such as a compaction on the way to it; `null` where nothing was. */
export function usageBesides(billed: Usage, usage: Usage): Usage | null {
  const rest = (part: keyof Usage) => Math.max(0, (billed[part] ?? 0) - (usage[part] ?? 0));
  if (!parts.some((part) => rest(part) > 0)) return null;
  const known = splits.filter((part) => billed[part] !== undefined);
  const counts = [...parts, ...known].map((part) => [part, rest(part)] as const);
  return Object.fromEntries(counts) as unknown as Usage;
}
