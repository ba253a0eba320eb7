import { chooseKeptTail, forbidsKeptThinking, type KeptTail, unseenTail } from "./rules/kept-tail.ts";
import type { CompactionRun } from "./run.ts";

/** What stays word for word: newest rounds where the plan says so, and always what no model has been asked with. */
export function chooseTail(run: CompactionRun): KeptTail | null {
  const { plan, view, facts, records, measure } = run;
  const { items } = view;
  const question = {
    items,
    boundarySeq: records.boundarySeq,
    maxTokens: plan.budget.keptTokens,
    measure,
    forbidsThinking: forbidsKeptThinking(items, facts.capabilities),
  };
  return (plan.keepsTail ? chooseKeptTail(question) : null) ?? chooseUnseen(run);
}

/** What no model has been asked with; `null` where there is nothing of the kind. */
export function chooseUnseen({ view, facts, records, countOf }: CompactionRun): KeptTail | null {
  const { items } = view;
  const forbidsThinking = forbidsKeptThinking(items, facts.capabilities);
  return unseenTail({ items, boundarySeq: records.boundarySeq, forbidsThinking, countOf });
}
