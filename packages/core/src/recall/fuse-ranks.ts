import { rankingNumbers } from "./ranking-numbers.ts";

/**
 * One ranking of several: each gives a document one part in `fusionRank` plus its rank, and the parts are added. Scores
 * of different makings need not be comparable. Best first; equal ones in the order of the first ranking that has them.
 */
export function fuseRanks<Document extends number | string>(
  rankings: readonly (readonly Document[])[],
): readonly { readonly document: Document; readonly score: number }[] {
  const scores = new Map<Document, number>();
  for (const ranking of rankings)
    for (const [rank, document] of ranking.entries())
      scores.set(document, (scores.get(document) ?? 0) + 1 / (rankingNumbers.fusionRank + rank + 1));
  return [...scores].map(([document, score]) => ({ document, score })).sort((a, b) => b.score - a.score);
}
