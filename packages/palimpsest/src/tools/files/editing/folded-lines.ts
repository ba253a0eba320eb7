/** A text in which every CRLF is a LF, and which knows where its characters came from. */
export interface FoldedLines {
  readonly text: string;
  /** Where a position of the folded text stands in the original one; a CRLF begins at its CR. */
  originalAt(position: number): number;
}

export function foldLines(original: string): FoldedLines {
  const folds: number[] = [];
  for (let at = original.indexOf("\r\n"); at !== -1; at = original.indexOf("\r\n", at + 2)) {
    folds.push(at - folds.length);
  }
  return {
    text: folds.length === 0 ? original : original.replaceAll("\r\n", "\n"),
    originalAt: (position) => position + countBelow(folds, position),
  };
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] as number) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
