import {
  type CompactionAttempt,
  type EntryDraft,
  fail,
  type LayerIo,
  ok,
  type Result,
} from "../../spec/index.ts";
import type { CompactCommand } from "./command.ts";
import type { CompactionRun, NotWritten } from "./run.ts";

/** A hook has refused: it is asked again once enough is new. */
export function vetoed(
  { plan, view }: CompactCommand,
  io: LayerIo,
  veto: string,
): Result<readonly EntryDraft[]> {
  io.emit({ type: "compaction-failed", trigger: plan.trigger, reason: "vetoed", message: veto });
  return ok([attemptDraft({ plan, view }, { outcome: "exhausted", rung: "full", reason: "vetoed" })]);
}

export function aborted({ plan, io }: Pick<CompactionRun, "plan" | "io">): Result<never> {
  const message = "The compaction was interrupted; nothing has changed.";
  io.emit({ type: "compaction-failed", trigger: plan.trigger, reason: "aborted", message });
  return fail("aborted", message);
}

/**
 * No rung helped. By hand that is an error; else it is noted, so that nothing is tried again before enough is new, and
 * a request that is too large is refused before it is sent.
 */
export function exhausted(
  run: Pick<CompactionRun, "plan" | "view" | "io">,
  attempts: readonly EntryDraft[],
  { reason, message }: NotWritten,
): Result<readonly EntryDraft[]> {
  const { plan, io } = run;
  const { trigger } = plan;
  const why = reason === "refused" ? "no_progress" : reason;
  io.emit({ type: "compaction-failed", trigger, reason: why, message });
  if (trigger === "manual")
    return fail(why === "prompt_too_long" ? "too-large" : "conflict", `Nothing was compacted: ${message}`, {
      fix: "Try again, or go on: the conversation is as it was.",
      facts: { reason: why },
    });
  return ok([...attempts, attemptDraft(run, { outcome: "exhausted", rung: "scribe", reason: why })]);
}

/** The note of an attempt that left no boundary. */
export function attemptDraft(
  { plan, view }: Pick<CompactCommand, "plan" | "view">,
  attempt: Pick<CompactionAttempt, "outcome" | "rung" | "reason">,
): EntryDraft {
  const { trigger, cause } = plan;
  const level = attempt.outcome === "exhausted" ? { threshold: cause.threshold } : {};
  const note = { topic: "compaction", ...attempt, trigger, tokens: view.count.tokens, ...level } as const;
  return { kind: "note", note };
}
