import type { Usage } from "../../spec/index.ts";
import { isRecord } from "./is-record.ts";

/**
 * The usage of a response. Where the server says nothing all parts are 0: the engine takes a prompt of no tokens for a
 * response that was not measured, and goes on with its estimate.
 */
export function toUsage(usage: unknown): Usage {
  if (!isRecord(usage)) return { input: 0, output: 0, cacheRead: 0, cacheCreation: 0 };
  const details = isRecord(usage.prompt_tokens_details) ? usage.prompt_tokens_details : {};
  const prompt = toCount(usage.prompt_tokens);
  const cacheRead = Math.min(prompt, toCount(details.cached_tokens ?? usage.prompt_cache_hit_tokens));
  const cacheCreation = Math.min(prompt - cacheRead, toCount(details.cache_write_tokens));
  return {
    input: prompt - cacheRead - cacheCreation,
    output: toCount(usage.completion_tokens),
    cacheRead,
    cacheCreation,
  };
}

function toCount(value: unknown): number {
  return typeof value === "number" && Number.isFinite(value) ? Math.max(0, Math.round(value)) : 0;
}
