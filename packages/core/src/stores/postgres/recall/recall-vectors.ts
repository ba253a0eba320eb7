import { ok, type RecallVectors } from "../../../spec/index.ts";
import { type HeadRow, headColumns, type RecallRows, toHead } from "./recall-rows.ts";
import { createVectorSearch, type VectorSearch } from "./vector-search.ts";

/** Vectors by document, each number in one byte, as in `recall`. Compared here, so no extension is needed. */
export function createRecallVectors(rows: RecallRows): RecallVectors {
  const { database, project } = rows;
  const { schema } = database;
  let search: VectorSearch | undefined;
  return {
    async has(embeddings) {
      const found = await database.query(
        `select from ${schema}.recall_state where project = $1 and embeddings = $2`,
        [project, Buffer.from(embeddings)],
        { isRepeatable: true },
      );
      return found.ok ? ok(found.value.count > 0) : found;
    },
    async missing(embeddings, limit) {
      const found = await database.query<HeadRow>(
        `select ${headColumns} from ${schema}.recall_document as d
         where d.project = $1 and not exists (
           select from ${schema}.recall_vector as v join ${schema}.recall_state as s on s.project = v.project
           where v.document = d.id and s.embeddings = $2)
         order by d.at_ms desc, d.id desc limit $3`,
        [project, Buffer.from(embeddings), limit],
        { isRepeatable: true },
      );
      return found.ok ? ok(found.value.rows.map(toHead)) : found;
    },
    async put(embeddings, vectors) {
      const { putVectors } = await import("./put-vectors.ts");
      return putVectors(rows, embeddings, vectors);
    },
    closest(vector, limit, filter) {
      search ??= createVectorSearch(rows);
      return search.closest(vector, limit, filter);
    },
  };
}
