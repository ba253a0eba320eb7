/** What a fold takes out of the view, and what it puts there. */
export interface FoldSize {
  readonly cleared: number;
  readonly stays: number;
}

export interface FoldBatch<Fold extends FoldSize> {
  readonly folds: readonly Fold[];
  /** Tokens that all of it takes out. */
  readonly freed: number;
}

export interface BatchOptions {
  /** Of the view as it is. */
  readonly tokens: number;
  /** Folds are added until it would be under this. */
  readonly target: number;
}

/** The oldest folds, as few as bring the view under the target; those that free nothing are left out. */
export function chooseFolds<Fold extends FoldSize>(
  folds: readonly Fold[],
  { tokens, target }: BatchOptions,
): FoldBatch<Fold> {
  const chosen: Fold[] = [];
  let freed = 0;
  for (const fold of folds) {
    if (tokens - freed < target) break;
    if (fold.cleared <= fold.stays) continue;
    chosen.push(fold);
    freed += fold.cleared - fold.stays;
  }
  return { folds: chosen, freed };
}

/** Whether a batch is worth the cache it costs: it brings the view under its level, or frees enough. */
export function isWorthABreak(
  { freed }: Pick<FoldBatch<FoldSize>, "freed">,
  { tokens, level, minBatch }: { readonly tokens: number; readonly level: number; readonly minBatch: number },
): boolean {
  return freed > 0 && (tokens - freed < level || freed >= minBatch);
}
