import type { CacheOutcome, WireUsage } from "../wire.ts";
import type { ShapedAnswer } from "./shape-answer.ts";

/** A whole answer with everything around its blocks. */
export interface WireMessage {
  readonly id: string;
  /** The model's name in the answer; absent: it does not say. */
  readonly model: string | undefined;
  readonly answer: ShapedAnswer;
  readonly usage: WireUsage;
  /** Fields that only some requests get: `diagnostics`, `input_transformations`, `context_management`. */
  readonly extra: Readonly<Record<string, unknown>>;
}

export function toUsage(cache: CacheOutcome, outputTokens: number, thinkingTokens: number): WireUsage {
  return {
    input_tokens: cache.inputTokens,
    cache_creation_input_tokens: cache.written5mTokens + cache.written1hTokens,
    cache_read_input_tokens: cache.readTokens,
    cache_creation: {
      ephemeral_5m_input_tokens: cache.written5mTokens,
      ephemeral_1h_input_tokens: cache.written1hTokens,
    },
    output_tokens: outputTokens,
    output_tokens_details: { thinking_tokens: thinkingTokens },
    server_tool_use: null,
    service_tier: "standard",
    inference_geo: null,
    speed: "standard",
  };
}

/** The body of an answer that is not streamed. */
export function toMessageBody({ id, model, answer, usage, extra }: WireMessage) {
  return {
    id,
    type: "message",
    role: "assistant",
    model,
    content: answer.content,
    container: null,
    stop_reason: answer.stopReason,
    stop_sequence: answer.stopSequence,
    stop_details: null,
    diagnostics: null,
    ...extra,
    usage,
  };
}
