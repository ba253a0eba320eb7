import { chooseKeptTail, type KeptTail, unseenTail } from "../../context/compaction/kept-tail.ts";
import { isRoundOpen } from "../../context/thinking/thinking-choice.ts";
import type { CompactionRun } from "./run.ts";

/** What no model has seen stays whole up to this part of what a compaction may have: the rest is for the summary. */
const wholeShare = 0.75;

/** What stays word for word: newest rounds where the provider refused them; else what no model has seen. */
export function chooseTail(run: CompactionRun): KeptTail | null {
  const { plan } = run;
  const newest = plan.keepsTail ? chooseKeptTail(questionOf(run, plan.budget.keptTokens)) : null;
  return newest ?? chooseUnseen(run);
}

/** What no model has seen, where it may stay as it is; `null` where nothing is unseen, or it is too large. */
export function chooseUnseen(run: CompactionRun): KeptTail | null {
  return unseenTail(questionOf(run, Math.floor(run.plan.budget.totalTokens * wholeShare)));
}

function questionOf({ view, facts, records, measure }: CompactionRun, maxTokens: number) {
  const { prefixBoundThinking, dropsUnboundThinking } = facts.capabilities;
  return {
    items: view.items,
    boundarySeq: records.boundarySeq,
    maxTokens,
    measure,
    forbidsThinking: prefixBoundThinking && !dropsUnboundThinking && isRoundOpen(view.items),
  };
}
