import type { ClearablePart } from "../../../view/clearing/clearable-parts.ts";
import type { FormerThinking } from "../../../view/thinking/former-thinking.ts";
import { formerThinking } from "../../../view/thinking/former-thinking.ts";
import { workingSet } from "../../../view/working-set/working-set.ts";
import { type ClearingContext, seenParts } from "../strategy.ts";
import { isWorthALabel } from "./worth-a-label.ts";

/**
 * The parts outside the working set that a model has been asked with and that are larger than their labels: what clearing
 * may take, oldest first.
 */
export function servedParts(context: ClearingContext): readonly ClearablePart[] {
  const { view, parts, numbers } = context;
  const isInUse = workingSet(view, parts, numbers);
  return seenParts(parts, context).filter((part) => isWorthALabel(part) && !isInUse(part));
}

/** Thinking that may go along with them; `null` where the model binds thinking to what stands before it. */
export function servedThinking({ view, facts }: ClearingContext): FormerThinking | null {
  return facts.capabilities.prefixBoundThinking ? null : formerThinking(view.items);
}
