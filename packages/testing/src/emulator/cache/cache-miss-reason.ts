import type { MeasuredPrompt } from "../wire.ts";

/** The part of a request that is kept to compare the next one with. */
export interface PromptSummary {
  readonly model: string;
  readonly toolsDigest: string;
  readonly systemDigest: string;
  /** Of the blocks of messages, in order. */
  readonly messages: readonly string[];
  /** Key of the last block: everything that shapes the prompt. */
  readonly key: string;
  /** Tokens up to the last breakpoint: what the next request could read. */
  readonly cachedTokens: number;
}

/** As `diagnostics.cache_miss_reason` has it on the wire. */
export type CacheMissReason =
  | {
      readonly type: "model_changed" | "system_changed" | "tools_changed" | "messages_changed";
      readonly cache_missed_input_tokens: number;
    }
  | { readonly type: "previous_message_not_found" | "unavailable" };

/** Small beside the prompt: digests only. */
export function summarizePrompt({ model, toolsDigest, systemDigest, blocks }: MeasuredPrompt): PromptSummary {
  const last = blocks.findLastIndex(({ breakpoint }) => breakpoint !== undefined);
  return {
    model,
    toolsDigest,
    systemDigest,
    messages: blocks.flatMap(({ place, digest }) => (place === "messages" ? digest : [])),
    key: blocks.at(-1)?.key ?? "",
    cachedTokens: blocks.slice(0, last + 1).reduce((sum, { tokens }) => sum + tokens, 0),
  };
}

/**
 * Why a request could not read all that the request before left: the first thing that differs, in the order of the
 * prompt. `null` as the previous one says it is unknown to the server; the result is `null` when nothing but new
 * messages was added, whether or not the cache still had the prefix.
 */
export function cacheMissReason(
  previous: PromptSummary | null,
  current: MeasuredPrompt,
  readTokens: number,
): CacheMissReason | null {
  if (previous === null) return { type: "previous_message_not_found" };
  const missed = { cache_missed_input_tokens: Math.max(0, previous.cachedTokens - readTokens) };
  if (previous.model !== current.model) return { type: "model_changed", ...missed };
  if (previous.toolsDigest !== current.toolsDigest) return { type: "tools_changed", ...missed };
  if (previous.systemDigest !== current.systemDigest) return { type: "system_changed", ...missed };
  const messages = current.blocks.filter(({ place }) => place === "messages");
  const isAppended = previous.messages.every((digest, index) => messages[index]?.digest === digest);
  if (!isAppended) return { type: "messages_changed", ...missed };
  const last = previous.messages.length - 1;
  const hasSameKey = last < 0 || messages[last]?.key === previous.key;
  return hasSameKey ? null : { type: "unavailable" };
}
