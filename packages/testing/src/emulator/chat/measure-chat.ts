import { hash } from "node:crypto";
import { measurePrompt } from "../request/measure-prompt.ts";
import type { CacheOutcome, MeasuredPrompt, WireBody } from "../wire.ts";

/** Fewer tokens than this are never cached. */
export const minCachedTokens = 1_024;
/** What is read comes in steps of this many. */
const cacheStepTokens = 128;

/**
 * Counts a chat request in the shape of the Messages API. Every prefix may be cached, and depends on nothing but what
 * stands in it: neither on the choice of tools nor on images further on.
 */
export function measureChat(whole: WireBody): MeasuredPrompt {
  const prompt = measurePrompt(whole);
  let key = hash("sha256", `chat ${prompt.model}`);
  const blocks = prompt.blocks.map((block) => {
    key = hash("sha256", key + block.digest);
    return { ...block, key, breakpoint: "5m" as const };
  });
  return { ...prompt, blocks };
}

/** What `cached_tokens` says: whole steps, and nothing is said to be written. */
export function toChatOutcome(prompt: MeasuredPrompt, outcome: CacheOutcome): CacheOutcome {
  const steps = Math.floor(outcome.readTokens / cacheStepTokens) * cacheStepTokens;
  const readTokens = steps < minCachedTokens ? 0 : steps;
  return {
    ...outcome,
    readTokens,
    written5mTokens: 0,
    written1hTokens: 0,
    inputTokens: prompt.tokens - readTokens,
  };
}
