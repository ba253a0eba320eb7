import { createTopK, documentKey } from "../../../recall/index.ts";
import type { RankedHead } from "../../../spec/index.ts";
import type { Run } from "../database.ts";
import { type HeadRow, headColumns, type RecallRows, toHead } from "./recall-rows.ts";

export interface ScoredDocument {
  readonly document: number;
  readonly score: number;
  readonly atMs: number;
}

const compare = (a: ScoredDocument, b: ScoredDocument) => b.score - a.score || b.atMs - a.atMs;

/** The best `limit`, and with them all that are as good and as new as the last of them. */
export function bestDocuments(scored: readonly ScoredDocument[], limit: number): readonly ScoredDocument[] {
  const best = createTopK(limit, compare);
  for (const one of scored) best.offer(one);
  const { worst } = best;
  return worst === undefined ? [] : scored.filter((one) => compare(one, worst) <= 0);
}

/** Best first, up to the limit. */
export async function readHeads(
  { database }: RecallRows,
  run: Run,
  best: readonly ScoredDocument[],
  limit: number,
): Promise<readonly RankedHead[]> {
  if (best.length === 0) return [];
  const { rows } = await run<HeadRow & { id: number }>(
    `select d.id, ${headColumns} from ${database.schema}.recall_document as d where d.id = any($1::bigint[])`,
    [best.map(({ document }) => document)],
  );
  const scores = new Map(best.map(({ document, score }) => [document, score]));
  const ranked = rows.map((row) => ({ head: toHead(row), score: scores.get(row.id) ?? 0 }));
  return ranked.sort(compareRanked).slice(0, limit);
}

/** Best first; equal ones the newest first, then by name. */
function compareRanked(a: RankedHead, b: RankedHead): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.head.atMs !== b.head.atMs) return b.head.atMs - a.head.atMs;
  return documentKey(a.head) < documentKey(b.head) ? -1 : 1;
}
