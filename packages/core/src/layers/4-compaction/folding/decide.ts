import type { Facts, Moment, QuerySource, Verdict, View } from "../../../spec/index.ts";
import type { FoldingCommand } from "./command.ts";
import { decideCommit, type FoldingContext } from "./decide-commit.ts";
import { decidePrepare } from "./decide-prepare.ts";
import { foldingLevels, foldingNumbersOf, measureView } from "./rules/index.ts";
import { skip } from "./skip.ts";

/** Forks that serve the context themselves end at their budget instead. */
const servants: ReadonlySet<QuerySource> = new Set(["notes", "compaction", "memory", "collapse"]);

/** Prepares between requests, commits before them. */
export function decideFolding(view: View, moment: Moment, facts: Facts): Verdict<FoldingCommand> {
  if (!isFoldingOn(facts)) return skip("folding is off");
  if (servants.has(facts.source)) return skip(`a fork for ${facts.source} is never folded`);
  if (moment.kind !== "before-request") return decidePrepare(contextOf(view, facts));
  if (moment.trigger !== "auto") return skip(`a ${moment.trigger} compaction is not folding's to do`);
  return decideCommit(contextOf(view, facts));
}

/** A request that must not go out unfolded waits for summaries that are being written. */
export function waitForFolds(view: View, facts: Facts): number {
  if (!isFoldingOn(facts)) return 0;
  const numbers = foldingNumbersOf(facts);
  return view.count.tokens >= foldingLevels(numbers, facts.thresholds).block ? numbers.staleMs : 0;
}

function isFoldingOn({ settings }: Facts): boolean {
  const { switches } = settings as { readonly switches?: { readonly contextCollapse?: boolean } };
  return switches?.contextCollapse === true;
}

function contextOf(view: View, facts: Facts): FoldingContext {
  const numbers = foldingNumbersOf(facts);
  const levels = foldingLevels(numbers, facts.thresholds);
  return { view, facts, numbers, levels, measure: measureView(view, facts) };
}
