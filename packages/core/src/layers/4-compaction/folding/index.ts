import type { Layer } from "../../../spec/index.ts";
import type { FoldingCommand } from "./command.ts";
import { commitFolds, foldingLayerId } from "./commit-folds.ts";
import { decideFolding, waitForFolds } from "./decide.ts";
import { prepareFolds } from "./prepare-folds.ts";
import { foldingNumbersOf } from "./rules/index.ts";

/**
 * Folding: spans of finished work get short summaries of their own in the background; when the window fills, the oldest
 * of them are put in the place of what they stand for, many at once. Off unless the flag `fold` is on; while it is on,
 * automatic compaction stands aside. It stands before compaction in the order of layers.
 */
export function createFoldingLayer(): Layer<FoldingCommand> {
  return {
    id: foldingLayerId,
    moments: ["tool-round", "turn-end", "before-request"],
    staleMs: (facts) => foldingNumbersOf(facts).staleMs,
    waitMs: waitForFolds,
    decide: decideFolding,
    apply: (command, io, signal) =>
      command.act === "prepare" ? prepareFolds(command, io, signal) : commitFolds(command, io),
  };
}
