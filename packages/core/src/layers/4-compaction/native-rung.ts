import { isBlock, type ViewItem } from "../../spec/index.ts";
import { isNativeBlock } from "../../view/request/native-block.ts";
import type { Measure } from "../../view/tokens/measure.ts";
import { isProgress } from "./rules/budget.ts";
import { cleanCuts } from "./rules/clean-cuts.ts";
import { type KeptTail, keptFrom } from "./rules/kept-tail.ts";
import { readSummary } from "./rules/read-summary.ts";
import { summarySections } from "./rules/summary-prompt.ts";
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

/**
 * What the API is asked to heed. Its own prompt gives way to whatever it is given, so this asks for the whole summary;
 * without wishes it is asked in its own words.
 */
function nativePrompt(instructions: string | undefined): string | undefined {
  const wishes = (instructions ?? "").trim();
  if (wishes === "") return undefined;
  return [
    "Write a summary of the conversation that will stand in its place. Whoever goes on with the work will have nothing else: paths, names, numbers and quotes must be as they were, and every request must be said to be done, open or cancelled.",
    `Give it these sections: ${summarySections.join("; ")}.`,
    `Heed these instructions besides:\n${wishes}`,
  ].join("\n\n");
}

interface NativeScope {
  /** The last number that is covered. */
  readonly upToSeq: number;
  /** How many items at the beginning are covered. */
  readonly covered: number;
  /** The turn that goes on, word for word; absent where everything is covered. */
  readonly tail?: KeptTail;
}

/**
 * What the API can compact: finished turns. The turn that goes on stays behind them, its thinking too, since the block
 * vouches for what it is bound to. `null` where no turn is finished.
 */
export function nativeScope(items: readonly ViewItem[], measure: Measure): NativeScope | null {
  const cut = isTurnEnd(items, items.length)
    ? items.length
    : cleanCuts(items).findLast((at) => isTurnEnd(items, at) && isPrompt(items[at]));
  if (cut === undefined || cut === 0) return null;
  const upToSeq = items.slice(0, cut).reduce((highest, { seq }) => Math.max(highest, seq), 0);
  const tail = cut === items.length ? undefined : keptFrom(items, cut, measure);
  return { upToSeq, covered: cut, ...(tail && { tail }) };
}

/** Whether what stands before a position ends with the assistant's last word. */
function isTurnEnd(items: readonly ViewItem[], at: number): boolean {
  const last = items[at - 1];
  return last?.role === "assistant" && !isBlock(last.block, "tool_use");
}

function isPrompt(item: ViewItem | undefined): boolean {
  return item?.role === "user" && !isBlock(item.block, "tool_result");
}
