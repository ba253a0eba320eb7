import {
  type EntryDraft,
  type Facts,
  type FoldDecision,
  isBlock,
  type LayerIo,
  ok,
  type Result,
  type Verdict,
  type View,
} from "../../../spec/index.ts";
import { deletedResults } from "../../../view/cache-edits.ts";
import { mayCompactEarly } from "../rules/early-compaction.ts";
import {
  type CommitCommand,
  type FoldingCommand,
  type FoldToCommit,
  type SpanInput,
  skip,
} from "./command.ts";
import { foldOf, toInput } from "./prepare-folds.ts";
import {
  chooseFolds,
  type FoldGround,
  type FoldingLevels,
  type FoldingNumbers,
  type FoldSpan,
  findSpans,
  foldGround,
  type ItemMeasure,
  isWorthABreak,
  type PlacedFold,
  placeFolds,
  reasonToFoldEarly,
  writeFold,
} from "./rules/index.ts";

export const foldingLayerId = "folding";

type Io = Pick<LayerIo, "emit" | "tokensOf">;

/** Folds in one batch, so that the cache breaks once. What would free nothing is left out. */
export async function commitFolds(command: CommitCommand, io: Io): Promise<Result<readonly EntryDraft[]>> {
  const { trigger, tokensBefore } = command;
  const decisions = command.folds
    .map((fold) => toDecision(fold, command, io))
    .filter(({ frees }) => frees > 0);
  if (decisions.length === 0) {
    const message = "Not folded: no summary is smaller than the text it replaces.";
    io.emit({ type: "fold-failed", by: "scribe", message });
    return ok([]);
  }
  const tokensSaved = decisions.reduce((sum, { frees }) => sum + frees, 0);
  io.emit({
    type: "fold-commit",
    trigger,
    folds: decisions.length,
    tokensBefore,
    tokensAfter: Math.max(0, tokensBefore - tokensSaved),
    tokensSaved,
  });
  return ok(decisions.map((decision) => ({ kind: "decision", decision })));
}

function toDecision(
  fold: FoldToCommit,
  { reason, basis, deletedResults }: CommitCommand,
  { tokensOf }: Io,
): FoldDecision {
  const { from, to, items, summary } = "span" in fold ? foldDraft(fold.span) : fold;
  const isDeleted = (toolUseId: string) => deletedResults.has(toolUseId);
  const cleared = items.reduce(
    (sum, { block }) =>
      isBlock(block, "tool_result") && isDeleted(block.tool_use_id) ? sum : sum + tokensOf(block),
    0,
  );
  const frees = Math.floor(cleared - tokensOf({ type: "text", text: summary }));
  return { type: "fold", layer: foldingLayerId, reason, frees, basis, from, to, summary };
}

function foldDraft(span: SpanInput) {
  const { from, to, items, ledgers, summaryTokens } = span;
  return { from, to, items, summary: foldOf(span, writeFold(span, ledgers, summaryTokens, span.logAddress)) };
}

/** The facts that the decision rests on. */
export interface FoldingContext {
  readonly view: View;
  readonly facts: Facts;
  readonly numbers: FoldingNumbers;
  readonly levels: FoldingLevels;
  readonly measure: ItemMeasure;
}

/** A fold that may be committed, ready or to be written at once. */
type Candidate = PlacedFold | (Omit<PlacedFold, "fold"> & { readonly span: FoldSpan });

/** Before a request: whether prepared folds are committed, and whether the request has to wait for more. */
export function decideCommit(context: FoldingContext): Verdict<FoldingCommand> {
  const { view, levels } = context;
  const { tokens } = view.count;
  if (tokens >= levels.block) return decideBlocked(context);
  const prepared = preparedFolds(context);
  if (tokens < levels.commit) return decideEarly(context, prepared);
  const batch = chooseFolds(prepared, { tokens, target: levels.target });
  const { commit: level, minBatch } = levels;
  if (batch.folds.length === 0) return skip(`${tokens} tokens are over ${level}, and no fold is prepared`);
  if (!isWorthABreak(batch, { tokens, level, minBatch }))
    return skip(`what is prepared frees ${Math.floor(batch.freed)} tokens: too few to break the cache for`);
  return commit(context, "level", batch.folds, `${tokens} tokens are over the level of ${level}`);
}

/** It pays before it has to be. */
function decideEarly(context: FoldingContext, prepared: readonly PlacedFold[]): Verdict<FoldingCommand> {
  const { view, facts, levels, measure } = context;
  const { tokens } = view.count;
  const under = `${tokens} tokens are under the level of ${levels.commit}`;
  if (!mayCompactEarly(view, facts)) return skip(under);
  const batch = chooseFolds(prepared, { tokens, target: 0 });
  if (batch.freed < Math.max(1, levels.minBatch)) return skip(under);
  const reason = reasonToFoldEarly(batch.folds, view.items, measure, facts);
  return reason === null ? skip(under) : commit(context, "early", batch.folds, reason);
}

/** The window is nearly full: what is not prepared, the scribe writes at once, and less of the newest work is spared. */
function decideBlocked(context: FoldingContext): Verdict<FoldingCommand> {
  const { view, numbers, levels, measure } = context;
  const { tokens } = view.count;
  const { block: level, target, minBatch } = levels;
  const narrow = foldGround(view, { measure, numbers: { keepTokens: 0, keepRounds: 1 } });
  const usual = foldGround(view, { measure, numbers, spared: view.sparedFolds });
  const attempts = [usual, narrow].map((ground) =>
    chooseFolds(candidatesOn(ground, context), { tokens, target }),
  );
  const batch = attempts.find(({ freed }) => tokens - freed < level) ?? attempts[1];
  if (!batch || batch.folds.length === 0)
    return skip(`${tokens} tokens are over ${level}, and nothing can be folded`);
  if (!isWorthABreak(batch, { tokens, level, minBatch }))
    return skip(`what can be folded frees ${Math.floor(batch.freed)} tokens: too few to break the cache for`);
  return commit(context, "blocked", batch.folds, `${tokens} tokens are over the level of ${level}`);
}

function preparedFolds({ view, numbers, measure }: FoldingContext): readonly PlacedFold[] {
  const ground = foldGround(view, { measure, numbers, spared: view.sparedFolds });
  return placeFolds(ground, view.folds ?? [], measure);
}

/** Prepared folds and all other spans, oldest first. */
function candidatesOn(ground: FoldGround, context: FoldingContext): readonly Candidate[] {
  const { view, numbers, measure } = context;
  const prepared = placeFolds(ground, view.folds ?? [], measure);
  const taken = prepared.map(({ range }) => range);
  const spans = findSpans(ground, { ...numbers, taken, takesLast: true });
  const others = spans.map((span) => ({
    span,
    range: span.range,
    cleared: span.tokens,
    stays: Math.min(span.tokens, numbers.summaryTokens),
  }));
  return [...prepared, ...others].toSorted((one, other) => one.range.from - other.range.from);
}

function commit(
  { view, facts, numbers }: FoldingContext,
  trigger: CommitCommand["trigger"],
  chosen: readonly Candidate[],
  reason: string,
): Verdict<FoldingCommand> {
  const basis = view.head;
  const folds = chosen.map(
    (one): FoldToCommit =>
      "span" in one
        ? { span: toInput(one.span, view, numbers, facts.logAddress) }
        : { ...one.fold, items: view.items.slice(one.range.from, one.range.to) },
  );
  const command: CommitCommand = {
    act: "commit",
    trigger,
    folds,
    reason,
    basis,
    tokensBefore: view.count.tokens,
    deletedResults: deletedResults(view.items),
  };
  const frees = Math.floor(chosen.reduce((sum, { cleared, stays }) => sum + cleared - stays, 0));
  return { verdict: "act", command, run: "inline", reason, frees, basis };
}
