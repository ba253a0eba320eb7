import {
  type CompactionAttempt,
  type EntryDraft,
  fail,
  type LayerIo,
  ok,
  type Result,
} from "../../spec/index.ts";
import { askPrefix } from "./ask-prefix.ts";
import type { CompactionCommand } from "./command.ts";
import { compactionChoicesOf } from "./rules/compaction-choices.ts";
import { summaryPrompt } from "./rules/summary-prompt.ts";
import { compactionNumbersOf } from "./settings.ts";
import { isNobody } from "./summary-answer.ts";

/** Writes a summary in the background and notes it: it is swapped in once the threshold is reached. */
export async function prepareSummary(
  { view, facts, records }: Extract<CompactionCommand, { readonly act: "prepare" }>,
  io: Pick<LayerIo, "fork" | "emit">,
  signal: AbortSignal,
): Promise<Result<readonly EntryDraft[]>> {
  const { head: basis, items, count } = view;
  const covers = items.at(-1)?.entry ?? "";
  const { prompt: words } = compactionChoicesOf(facts);
  const numbers = compactionNumbersOf(facts);
  const maxOutputTokens = Math.min(facts.capabilities.maxOutput, numbers.maxSummaryTokens);
  const prompt = summaryPrompt(words === undefined ? {} : { words });
  const asked = await askPrefix(prompt, maxOutputTokens, io, signal);
  const noted = (
    attempt: Pick<CompactionAttempt, "outcome" | "reason" | "rung" | "prepared">,
  ): EntryDraft => ({
    kind: "note",
    note: { topic: "compaction", ...attempt, trigger: "auto", tokens: count.tokens },
  });
  if (asked.ok)
    return ok([
      noted({ outcome: "prepared", rung: "prepared", prepared: { summary: asked.summary, basis, covers } }),
    ]);
  const { reason, message } = asked;
  if (signal.aborted || reason === "aborted") return fail("aborted", message);
  if (isNobody(asked)) return ok([noted({ outcome: "failed", rung: "prepared", reason })]);
  const failures = records.modelFailures + 1;
  if (failures === numbers.maxFailures) io.emit({ type: "breaker-open", failures });
  io.emit({ type: "compaction-failed", trigger: "auto", reason, message });
  return ok([noted({ outcome: "failed", rung: "full", reason })]);
}
