import type { Usage } from "@palimpsest/core/spec";

const parts = ["input", "output", "cacheRead", "cacheCreation"] as const;

/** What was paid besides the answer itself, such as a compaction on the way to it; `null` where nothing was. */
export function usageBesides(billed: Usage, usage: Usage): Usage | null {
  const rest = (part: keyof Usage) => Math.max(0, (billed[part] ?? 0) - (usage[part] ?? 0));
  if (!parts.some((part) => rest(part) > 0)) return null;
  const split = (part: "cacheCreation5m" | "cacheCreation1h") =>
    billed[part] === undefined ? {} : { [part]: rest(part) };
  return {
    input: rest("input"),
    output: rest("output"),
    cacheRead: rest("cacheRead"),
    cacheCreation: rest("cacheCreation"),
    ...split("cacheCreation5m"),
    ...split("cacheCreation1h"),
  };
}
