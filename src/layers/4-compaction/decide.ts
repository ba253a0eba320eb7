import { isProgress } from "../../context/compaction/budget.ts";
import type { CompactPlan } from "../../context/compaction/compaction-plan.ts";
import { noCompactions } from "../../context/compaction/compaction-records.ts";
import { decideCompaction } from "../../context/compaction/decide-compaction.ts";
import { compactionNumbersOf } from "../../context/compaction/numbers.ts";
import type { ClearDecision, Facts, Moment, Verdict, View } from "../../spec/index.ts";
import type { CompactionCommand } from "./command.ts";
import type { CompactionPorts } from "./ports.ts";

/** Before a request: what the coordinator decides, as a verdict. */
export function decideVerdict(
  view: View,
  moment: Moment,
  facts: Facts,
  ports: Pick<CompactionPorts, "decidePendingClear">,
): Verdict<CompactionCommand> {
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
  const clear = clearInstead(plan, view, facts, ports);
  if (clear) {
    const command = { act: "clear", decision: clear } as const;
    return {
      verdict: "act",
      command,
      run: "inline",
      reason: clear.reason,
      frees: clear.frees,
      basis: clear.basis,
    };
  }
  const command = { act: "compact", plan, view, facts, records } as const;
  const after = (facts.headTokens ?? 0) + plan.budget.totalTokens;
  const frees = Math.max(0, view.count.tokens - after);
  return { verdict: "act", command, run: "inline", reason, frees, basis };
}

/** What micro-compaction still has to clear, where that is enough by itself. */
function clearInstead(
  { rungs }: CompactPlan,
  view: View,
  facts: Facts,
  { decidePendingClear }: Pick<CompactionPorts, "decidePendingClear">,
): ClearDecision | null {
  const pending = rungs[0] === "clear" ? decidePendingClear?.(view, facts) : undefined;
  if (!pending) return null;
  const { tokens } = view.count;
  const { minShrinkPercent } = compactionNumbersOf(facts);
  return isProgress(tokens, tokens - pending.frees, facts.thresholds.auto, minShrinkPercent) ? pending : null;
}
