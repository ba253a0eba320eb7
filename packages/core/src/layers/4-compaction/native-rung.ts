import { isNativeBlock } from "../../view/request/native-block.ts";
import { isProgress } from "./rules/budget.ts";
import { nativePrompt } from "./rules/native-prompt.ts";
import { nativeScope } from "./rules/native-scope.ts";
import { readSummary } from "./rules/read-summary.ts";
import type { CompactionRun, NotWritten, Written } from "./run.ts";

/** Asks the API for a compaction of itself: finished turns give way to its block, the turn that goes on stays. */
export async function writeNatively(run: CompactionRun): Promise<Written | NotWritten> {
  const { view, io, facts, plan, numbers, measure, signal } = run;
  if (!io.compactNatively) return refused("nobody can ask the API");
  const scope = nativeScope(view.items, measure);
  if (!scope) return refused("no turn is finished, and the API compacts only finished ones");
  const { upToSeq, covered, tail } = scope;
  const keptTokens = tail?.tokens ?? 0;
  const { headTokens = 0, thresholds } = facts;
  const least = headTokens + keptTokens;
  const shrink = plan.trigger === "manual" ? 0 : numbers.minShrinkPercent;
  const shrinkage = { tokensBefore: view.count.tokens, tokensAfter: least, headTokens };
  if (!isProgress(shrinkage, thresholds.auto, shrink))
    return refused("the turn that goes on is too large by itself", least);
  const prefixDigest = io.prefixDigest?.(covered);
  const asked = await io.compactNatively(nativePrompt(run.instructions), signal, upToSeq);
  if (!asked.ok) {
    const { error } = asked;
    const read = readSummary({ text: "", error });
    return read.ok ? refused(error.message) : { ...read, code: error.code };
  }
  const { block, usage } = asked.value;
  if (!isNativeBlock(block))
    return { ok: false, reason: "no_summary", message: "The API's compaction holds no summary." };
  return {
    ok: true,
    strategy: "native",
    summary: block.content,
    native: { block, ...(prefixDigest !== undefined && { prefixDigest }) },
    basis: view.head,
    ...(tail && { kept: tail.segment }),
    keptTokens,
    usage,
  };
}

function refused(message: string, tokensAfter?: number): NotWritten {
  return { ok: false, reason: "refused", message, ...(tokensAfter !== undefined && { tokensAfter }) };
}
