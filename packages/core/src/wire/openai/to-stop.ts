import type { ModelResponse } from "../../spec/index.ts";

/** What a response ended with, besides its content. */
export interface Finish {
  readonly reason: string;
  readonly hasCalls: boolean;
  /** What the model said instead of an answer. */
  readonly refusal: string;
}

/**
 * The reason in the Anthropic words. Servers say `stop` behind calls too, and words of their own, which are kept as
 * details.
 */
export function toStop({
  reason,
  hasCalls,
  refusal,
}: Finish): Pick<ModelResponse, "stopReason" | "stopDetails"> {
  if (refusal !== "") return { stopReason: "refusal", stopDetails: refusal };
  if (reason === "content_filter") return { stopReason: "refusal", stopDetails: reason };
  if (reason === "length") return { stopReason: "max_tokens" };
  const stopReason = hasCalls ? "tool_use" : "end_turn";
  const isKnown = reason === "stop" || reason === "tool_calls" || reason === "function_call";
  return isKnown ? { stopReason } : { stopReason, stopDetails: reason };
}
