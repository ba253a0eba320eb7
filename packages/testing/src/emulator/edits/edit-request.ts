import { isRecord } from "../request/is-record.ts";
import { measurePrompt } from "../request/measure-prompt.ts";
import type { MeasuredPrompt, WireBody } from "../wire.ts";
import type { AppliedEdit } from "./applied-edit.ts";
import { clearThinking } from "./clear-thinking.ts";
import { clearToolUses } from "./clear-tool-uses.ts";
import { type DueCompaction, decideCompaction } from "./decide-compaction.ts";
import { type Deletion, deleteResults } from "./delete-results.ts";
import { dropCompacted } from "./drop-compacted.ts";

/** A request as the model sees it. */
export interface EditedRequest {
  readonly body: WireBody;
  readonly prompt: MeasuredPrompt;
  /** Of the request as it was sent. */
  readonly originalTokens: number;
  readonly applied: readonly AppliedEdit[];
  readonly deletions: readonly Deletion[];
  readonly compaction: DueCompaction | null;
}

const clearings: Readonly<Record<string, typeof clearToolUses>> = {
  clear_thinking_20251015: clearThinking,
  clear_tool_uses_20250919: clearToolUses,
};

/**
 * Applies the server's own edits to a request that was checked: messages in front of a compaction go, then results that
 * `cache_edits` blocks delete, then each edit of `context_management` in its order sees what those before it left.
 * Nothing is remembered: a request with the same edits is edited in the same way.
 */
export function editRequest(sent: WireBody): EditedRequest {
  const whole = measurePrompt(sent);
  const kept = dropCompacted(sent);
  const measured = kept === sent ? whole : measurePrompt(kept);
  const { deletions, prompt: remaining } = deleteResults(kept, measured);
  const deleted = new Set(deletions.map(({ toolUseId }) => toolUseId));
  const measure = (body: WireBody) => deleteResults(body, measurePrompt(body)).prompt.tokens;
  const applied: AppliedEdit[] = [];
  let body = kept;
  for (const edit of editsOf(sent)) {
    const cleared = clearings[String(edit.type)]?.(body, edit, { measure, deleted });
    if (!cleared?.applied) continue;
    body = cleared.body;
    applied.push(cleared.applied);
  }
  if (deletions.length > 0)
    applied.push({
      type: "cache_edits",
      deleted_tool_uses: deletions.length,
      cleared_input_tokens: deletions.reduce(
        (sum, { block }) => sum + (measured.blocks[block]?.tokens ?? 0),
        0,
      ),
    });
  const edited = body === kept ? { prompt: remaining, deletions } : deleteResults(body, measurePrompt(body));
  const compaction = decideCompaction(sent, edited.prompt.tokens);
  return { body, ...edited, originalTokens: whole.tokens, applied, compaction };
}

function editsOf({ context_management: management }: WireBody) {
  return isRecord(management) && Array.isArray(management.edits) ? management.edits.filter(isRecord) : [];
}
