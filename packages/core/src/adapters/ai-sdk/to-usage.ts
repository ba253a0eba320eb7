import type { Usage } from "../../spec/index.ts";
import type { SdkUsage } from "./parts.ts";

/** `undefined` where the provider said nothing: the session estimates then. */
export function toUsage({ inputTokens, inputTokenDetails, outputTokens }: SdkUsage): Usage | undefined {
  const isSplit = typeof inputTokens === "object";
  const total = isSplit ? inputTokens.total : inputTokens;
  if (total === undefined) return undefined;
  const cacheRead = (isSplit ? inputTokens.cacheRead : inputTokenDetails?.cacheReadTokens) ?? 0;
  const cacheCreation = (isSplit ? inputTokens.cacheWrite : inputTokenDetails?.cacheWriteTokens) ?? 0;
  const output = (typeof outputTokens === "object" ? outputTokens.total : outputTokens) ?? 0;
  return { input: Math.max(0, total - cacheRead - cacheCreation), output, cacheRead, cacheCreation };
}
