import type { Entry, EntrySpan, FailedUpdates, FoldNote, PreparedFold } from "../../../../spec/index.ts";

/** What a log says of its folds so far. */
export interface FoldsState {
  readonly folds?: readonly PreparedFold[];
  readonly sparedFolds?: readonly EntrySpan[];
  readonly failedFolds?: FailedUpdates;
}

/**
 * The state behind the next live entry. An attempt leaves the fork's note and then the folds: forks behind the newest
 * folds brought none. A compaction clears everything, unless it was undone. A fold that was committed waits no longer;
 * one that was undone spares its span. Total.
 */
export function nextFolds(state: FoldsState, entry: Entry, isUndone: boolean): FoldsState {
  if (entry.kind === "note") {
    const { note } = entry;
    if (note.topic === "fold" && isFold(note)) return prepared(state, toPrepared(note, entry));
    if (note.topic !== "fork" || note.forkKind !== "collapse") return state;
    return { ...state, failedFolds: { count: (state.failedFolds?.count ?? 0) + 1, seq: entry.seq } };
  }
  if (entry.kind !== "decision") return state;
  const { decision } = entry;
  if (decision.type === "compact") return isUndone ? state : {};
  if (decision.type !== "fold") return state;
  const { from, to } = decision;
  const { folds: former = [], sparedFolds = [], ...rest } = state;
  const folds = former.filter((fold) => fold.from !== from || fold.to !== to);
  const spared = isUndone ? [...sparedFolds, { from, to }] : sparedFolds;
  return {
    ...rest,
    ...(folds.length > 0 && { folds }),
    ...(spared.length > 0 && { sparedFolds: spared }),
  };
}

function prepared({ folds = [], sparedFolds }: FoldsState, fold: PreparedFold): FoldsState {
  return { folds: [...folds, fold], ...(sparedFolds && { sparedFolds }) };
}

function isFold({ from, to, summary, tokens }: FoldNote): boolean {
  const areTexts = typeof from === "string" && typeof to === "string" && typeof summary === "string";
  return areTexts && summary !== "" && Number.isFinite(tokens);
}

function toPrepared({ from, to, summary, tokens }: FoldNote, { id, seq }: Entry): PreparedFold {
  return { entry: id, seq, from, to, summary, tokens };
}
