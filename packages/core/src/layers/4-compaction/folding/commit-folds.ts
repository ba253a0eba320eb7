import {
  type EntryDraft,
  type FoldDecision,
  isBlock,
  type LayerIo,
  ok,
  type Result,
} from "../../../spec/index.ts";
import type { CommitCommand, FoldToCommit, SpanInput } from "./command.ts";
import { foldOf } from "./prepare-folds.ts";
import { writeFold } from "./rules/index.ts";

export const foldingLayerId = "folding";

type Io = Pick<LayerIo, "emit" | "tokensOf">;

/** Folds in one batch, so that the cache breaks once. What would free nothing is left out. */
export async function commitFolds(command: CommitCommand, io: Io): Promise<Result<readonly EntryDraft[]>> {
  const { trigger, tokensBefore } = command;
  const decisions = command.folds
    .map((fold) => toDecision(fold, command, io))
    .filter(({ frees }) => frees > 0);
  if (decisions.length === 0) {
    const message = "Nothing was folded: no summary is smaller than what it stands for.";
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
  const { from, to, items, summary } = "span" in fold ? written(fold.span) : fold;
  const isDeleted = (toolUseId: string) => deletedResults.has(toolUseId);
  const cleared = items.reduce(
    (sum, { block }) =>
      isBlock(block, "tool_result") && isDeleted(block.tool_use_id) ? sum : sum + tokensOf(block),
    0,
  );
  const frees = Math.floor(cleared - tokensOf({ type: "text", text: summary }));
  return { type: "fold", layer: foldingLayerId, reason, frees, basis, from, to, summary };
}

function written(span: SpanInput) {
  const { from, to, items, ledgers, summaryTokens } = span;
  return { from, to, items, summary: foldOf(span, writeFold(span, ledgers, summaryTokens, span.logAddress)) };
}
