import { isRecord } from "../request/is-record.ts";
import type { Answer } from "../script/answer.ts";
import { signCompaction } from "../thinking/sign-compaction.ts";
import type { WireBody, WireUsage } from "../wire.ts";

/** Whether a request asks for a summary of itself and for nothing else. */
export function isCompaction({ compaction }: WireBody): boolean {
  return isRecord(compaction);
}

/**
 * An answer that is a compaction and nothing else: what the script says is the summary; without words it failed, and
 * the content is null. `seal` is the field that vouches for it: `signature` where it was demanded, else the other.
 */
export function toCompaction(
  { content, outputTokens }: Answer,
  seal: "signature" | "encrypted_content",
  body: WireBody,
  secret: string,
): Answer {
  const words = content.flatMap((block) => (block.type === "text" ? String(block.text) : [])).join("\n");
  const summary = words === "" ? null : words;
  const sealed = summary === null ? null : signCompaction({ body, content: summary, secret });
  const block = { type: "compaction", content: summary, encrypted_content: null };
  return {
    kind: "answer",
    content: [
      seal === "signature" ? { ...block, signature: sealed } : { ...block, encrypted_content: sealed },
    ],
    stopReason: "compaction",
    ...(outputTokens !== undefined && { outputTokens }),
  };
}

/** The tokens of a compaction stand in its iteration only: nothing was answered. */
export function toCompactionUsage(usage: WireUsage): WireUsage {
  return {
    ...usage,
    input_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: 0,
    iterations: [toIteration("compaction", usage)],
  };
}

/** What one step of an answer cost, as an entry of `usage.iterations`. */
export function toIteration(type: "compaction" | "message", usage: WireUsage) {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, cache_creation } = usage;
  return {
    type,
    input_tokens,
    cache_creation_input_tokens,
    cache_read_input_tokens,
    cache_creation,
    output_tokens: usage.output_tokens,
  };
}
