import { promptTokens } from "@palimpsest/core/internal";
import type { Usage } from "@palimpsest/core/spec";

/** Usage in which every number is a whole one; nothing where no prompt was counted, as in answers made locally. */
export function soundUsage(usage: Usage | undefined): Usage | undefined {
  if (!usage) return undefined;
  const { cacheCreation1h, cacheCreation5m } = usage;
  const sound: Usage = {
    input: count(usage.input),
    output: count(usage.output),
    cacheRead: count(usage.cacheRead),
    cacheCreation: count(usage.cacheCreation),
    ...(cacheCreation5m !== undefined && { cacheCreation5m: count(cacheCreation5m) }),
    ...(cacheCreation1h !== undefined && { cacheCreation1h: count(cacheCreation1h) }),
  };
  return promptTokens(sound) > 0 ? sound : undefined;
}

function count(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) && value > 0 ? Math.round(value) : 0;
}
