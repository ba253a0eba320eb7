import { cacheMissReason, type PromptSummary } from "../cache/cache-miss-reason.ts";
import { isRecord } from "../request/is-record.ts";
import type { WireBody } from "../wire.ts";
import type { AnswerMemory } from "./answer-memory.ts";
import type { Acceptance } from "./judge-request.ts";

const bindingBeta = "thinking-binding-controls-2026-08-01";

/** The request that `diagnostics` names: null when nobody knows it, undefined when none is named. */
export function previousOf(
  { diagnostics }: WireBody,
  memory: AnswerMemory,
): PromptSummary | null | undefined {
  if (!isRecord(diagnostics) || typeof diagnostics.previous_message_id !== "string") return undefined;
  return memory.promptOf(diagnostics.previous_message_id);
}

/** What a response has besides the answer because the request asked for it. */
export function extraFields(
  { body, prompt, edited, dropped, context }: Acceptance,
  previous: PromptSummary | null | undefined,
  readTokens: number,
): Readonly<Record<string, unknown>> {
  const reason = previous === undefined ? null : cacheMissReason(previous, prompt, readTokens);
  const { applied } = edited;
  const edits = isRecord(body.context_management) || applied.length > 0 ? { applied_edits: applied } : null;
  return {
    diagnostics: reason === null ? null : { cache_miss_reason: reason },
    ...(context.betas.has(bindingBeta) && { input_transformations: dropped }),
    ...((context.betas.size > 0 || edits !== null) && { context_management: edits }),
  };
}
