import { isRecord } from "@palimpsest/core/internal";
import type { Capabilities } from "@palimpsest/core/spec";

/**
 * What holds for every model behind chat completions, whatever its name says: the protocol sends no thinking back, and
 * has neither cache markers nor edits or compaction of the server's.
 */
export const chatCapabilities = {
  prefixBoundThinking: false,
  dropsUnboundThinking: false,
  contextManagement: false,
  cacheEdits: false,
  nativeCompaction: false,
  serverCompaction: false,
  cacheMarkers: false,
} as const satisfies Partial<Capabilities>;

/** Where servers say how many tokens a model takes: vLLM, OpenRouter, Groq, Mistral, llama.cpp. */
const windowFields = ["max_model_len", "context_length", "context_window", "max_context_length"];

/**
 * What a list of models says about one of them. A server on this machine with a single model answers with it whatever
 * it is asked for, and so does this.
 */
export function readCapabilities(
  models: readonly unknown[],
  name: string,
  isLoopback: boolean,
): Partial<Capabilities> {
  const listed = models.filter(isRecord);
  const only = isLoopback && listed.length === 1 ? listed[0] : undefined;
  const model = listed.find(({ id }) => id === name) ?? only ?? {};
  const meta = isRecord(model.meta) ? model.meta : {};
  const provider = isRecord(model.top_provider) ? model.top_provider : {};
  const contextWindow = firstCount([
    ...windowFields.map((field) => model[field]),
    meta.n_ctx,
    meta.n_ctx_train,
  ]);
  const maxOutput = firstCount([model.max_completion_tokens, provider.max_completion_tokens]);
  return {
    ...chatCapabilities,
    ...(contextWindow !== undefined && { contextWindow }),
    ...(maxOutput !== undefined && { maxOutput }),
  };
}

function firstCount(values: readonly unknown[]): number | undefined {
  return values.find((value): value is number => Number.isInteger(value) && (value as number) > 0);
}
