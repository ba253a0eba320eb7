import type { Facts, Moment, Verdict, View } from "../../spec/index.ts";
import type { CompactionCommand } from "./command.ts";
import { noCompactions } from "./rules/compaction-records.ts";
import { decideCompaction } from "./rules/decide-compaction.ts";

/** Before a request: what the coordinator decides, as a verdict. */
export function decideVerdict(view: View, moment: Moment, facts: Facts): Verdict<CompactionCommand> {
  const records = facts.compaction ?? noCompactions;
  const plan = decideCompaction(view, moment, facts, { records });
  const { reason } = plan;
  if (plan.plan === "wait") return { verdict: "skip", reason };
  const basis = view.head;
  if (plan.plan === "prepare") {
    /** Work in the background outlives the view it was decided on. */
    const frozen = { ...view, items: [...view.items] };
    const command = { act: "prepare", view: frozen, facts, records } as const;
    return { verdict: "act", command, run: "background", reason, frees: 0, basis };
  }
  const command = { act: "compact", plan, view, facts, records } as const;
  const after = (facts.headTokens ?? 0) + plan.budget.totalTokens;
  const frees = Math.max(0, view.count.tokens - after);
  return { verdict: "act", command, run: "inline", reason, frees, basis };
}
