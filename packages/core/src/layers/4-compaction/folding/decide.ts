import type { Facts, Moment, QuerySource, Verdict, View } from "../../../spec/index.ts";
import { newTokensSince } from "../rules/compaction-plan.ts";
import { type FoldingCommand, type PrepareCommand, skip } from "./command.ts";
import { decideCommit, type FoldingContext } from "./commit-folds.ts";
import { toInput } from "./prepare-folds.ts";
import {
  chooseFolds,
  type FoldSpan,
  findSpans,
  foldGround,
  foldingLevels,
  foldingNumbersOf,
  measureView,
  placeFolds,
} from "./rules/index.ts";

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
  const { switches } = settings;
  return switches?.folding === true;
}

function contextOf(view: View, facts: Facts): FoldingContext {
  const numbers = foldingNumbersOf(facts);
  const levels = foldingLevels(numbers, facts.thresholds);
  return { view, facts, numbers, levels, measure: measureView(view, facts) };
}

/** After so many failures in a row the wait no longer doubles. */
const mostDoublings = 6;

/** Between requests: whether summaries are written for folds that will be needed. */
function decidePrepare(context: FoldingContext): Verdict<FoldingCommand> {
  const { view, facts, numbers, levels, measure } = context;
  const { tokens } = view.count;
  if (tokens < levels.prepare) return skip(`${tokens} tokens are under ${levels.prepare}`);
  if (tokens >= levels.block) return skip("the next request folds at once");
  const waits = waitReason(context);
  if (waits !== null) return skip(waits);
  const ground = foldGround(view, { measure, numbers, spared: view.sparedFolds });
  const prepared = placeFolds(ground, view.folds ?? [], measure);
  const { freed } = chooseFolds(prepared, { tokens: Number.POSITIVE_INFINITY, target: 0 });
  const needed = levels.block - levels.target - freed;
  if (needed <= 0) return skip("enough is prepared");
  const taken = prepared.map(({ range }) => range);
  const spans = oldestSpans(findSpans(ground, { ...numbers, taken }), needed, context);
  if (spans.length === 0) return skip("no work is finished that could be folded");
  const isNear = 2 * tokens >= levels.target + levels.commit;
  if (!isNear && 2 * freedBy(spans, context) < needed) return skip("too little work is finished yet");
  const by = facts.canFork === true ? "model" : "scribe";
  const command: PrepareCommand = {
    act: "prepare",
    by,
    spans: spans.map((span) => toInput(span, view, numbers, facts.logAddress)),
  };
  const reason = `${spans.length} spans of finished work, and the conversation has ${tokens} tokens`;
  const run = by === "model" ? "background" : "inline";
  return { verdict: "act", command, run, reason, frees: 0, basis: view.head };
}

/** The oldest of them, as many as are needed. */
function oldestSpans(
  spans: readonly FoldSpan[],
  needed: number,
  context: FoldingContext,
): readonly FoldSpan[] {
  const all = spans.slice(0, context.numbers.maxSpans);
  const count = all.findIndex((_, at) => freedBy(all.slice(0, at + 1), context) >= needed);
  return count === -1 ? all : all.slice(0, count + 1);
}

function freedBy(spans: readonly FoldSpan[], { numbers: { summaryTokens } }: FoldingContext): number {
  return spans.reduce((sum, { tokens }) => sum + tokens - summaryTokens, 0);
}

/** After a failure it waits for new work, each time for twice as much. */
function waitReason({ view, numbers }: FoldingContext): string | null {
  const { failedFolds, items } = view;
  if (!failedFolds) return null;
  const wait = numbers.spanTokens * 2 ** Math.min(failedFolds.count - 1, mostDoublings);
  const since = newTokensSince(items, failedFolds.seq, wait);
  return since < wait ? `${since} of ${wait} tokens since folds could not be prepared` : null;
}
