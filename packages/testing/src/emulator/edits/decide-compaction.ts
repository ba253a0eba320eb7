import { isRecord } from "../request/is-record.ts";
import type { WireBody } from "../wire.ts";

/** The API's default. */
const defaultTrigger = 150_000;

export interface DueCompaction {
  /** The answer is the summary alone. */
  readonly isPaused: boolean;
}

/** Whether `compact_20260112` sums a request up, which has this many tokens after the other edits; null if not. */
export function decideCompaction(
  { context_management: management }: WireBody,
  tokens: number,
): DueCompaction | null {
  const edits = isRecord(management) && Array.isArray(management.edits) ? management.edits : [];
  const edit: unknown = edits.find((one) => isRecord(one) && one.type === "compact_20260112");
  if (!isRecord(edit)) return null;
  const trigger = isRecord(edit.trigger) ? Number(edit.trigger.value) : defaultTrigger;
  return tokens > trigger ? { isPaused: edit.pause_after_compaction === true } : null;
}
