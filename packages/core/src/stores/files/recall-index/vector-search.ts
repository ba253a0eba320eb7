import {
  type Collection,
  compareIn,
  createFilter,
  createTopK,
  documentKey,
  type RankedDocument,
  type RankingFilter,
  type VectorPart,
} from "../../../recall/index.ts";
import { closenessTo, vectorKeys } from "../../../recall/vectors.ts";

export interface VectorSearch {
  /** The closest documents, best first. */
  rank(query: Float32Array, limit: number, filter: RankingFilter): readonly number[];
}

/** Compares with every vector there is. What belongs to a vector is found out once. */
export function createVectorSearch(collection: Collection, parts: readonly VectorPart[]): VectorSearch {
  const numbers = new Map<string, number>();
  for (let document = 0; document < collection.documents; document += 1)
    numbers.set(documentKey(collection.head(document)), document);
  const rows = parts.map(({ vectors }) => ({
    vectors,
    documents: vectorKeys(vectors).map((key) => numbers.get(key)),
  }));
  return {
    rank(query, limit, filter) {
      const admits = createFilter(collection, filter);
      const best = createTopK<RankedDocument>(limit, compareIn(collection));
      for (const { vectors, documents } of rows) {
        const closeness = closenessTo(query, vectors);
        for (const [at, document] of documents.entries()) {
          const score = closeness[at] as number;
          if (document === undefined || (best.count === limit && score < (best.worst?.score ?? 0))) continue;
          if (admits(document)) best.offer({ document, score, atMs: collection.head(document).atMs });
        }
      }
      return best.toSorted().map(({ document }) => document);
    },
  };
}
