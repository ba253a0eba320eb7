import { isRecord } from "../request/is-record.ts";
import type { Answer } from "../script/answer.ts";
import { signCompaction } from "../thinking/sign-compaction.ts";
import type { WireBody, WireUsage } from "../wire.ts";

/** Whether a request asks for a summary of itself and for nothing else. */
export function isCompaction({ compaction }: WireBody): boolean {
  return isRecord(compaction);
}

/** A compaction on demand: what the script says is the summary; without words it failed, and the content is null. */
export function toCompaction({ content, outputTokens }: Answer, body: WireBody, secret: string): Answer {
  const words = content.flatMap((block) => (block.type === "text" ? String(block.text) : [])).join("\n");
  const summary = words === "" ? null : words;
  const signature = summary === null ? null : signCompaction({ body, content: summary, secret });
  return {
    kind: "answer",
    content: [{ type: "compaction", content: summary, encrypted_content: null, signature }],
    stopReason: "compaction",
    ...(outputTokens !== undefined && { outputTokens }),
  };
}

/** The tokens of a compaction stand in its iteration only: nothing was answered. */
export function toCompactionUsage(usage: WireUsage): WireUsage {
  const { input_tokens, cache_creation_input_tokens, cache_read_input_tokens, cache_creation } = usage;
  return {
    ...usage,
    input_tokens: 0,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    cache_creation: { ephemeral_5m_input_tokens: 0, ephemeral_1h_input_tokens: 0 },
    output_tokens: 0,
    iterations: [
      {
        type: "compaction",
        input_tokens,
        cache_creation_input_tokens,
        cache_read_input_tokens,
        cache_creation,
        output_tokens: usage.output_tokens,
      },
    ],
  };
}
