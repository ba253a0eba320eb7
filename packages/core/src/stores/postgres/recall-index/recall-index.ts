import { createTokenizer, noProgress } from "../../../recall/index.ts";
import { type Ids, ok, type RecallBase, type RecallIndex, type RecallVectors } from "../../../spec/index.ts";
import { type RankingRows, rankDocuments } from "./rank-documents.ts";
import {
  type HeadRow,
  headColumns,
  type RecallRevision,
  type RecallRows,
  type RevisionRow,
  toHead,
  toRevision,
} from "./recall-rows.ts";
import { createVectorSearch, type VectorSearch } from "./vector-search.ts";

interface PostgresRecallIndexOptions extends RankingRows {
  readonly ids: Ids;
}

/** The index of a project in rows. Postgres finds the documents that hold a word; the scores are made here. */
export function createPostgresRecallIndex(options: PostgresRecallIndexOptions): RecallIndex {
  const { database, project } = options;
  const { schema, address } = database;
  const tokenizer = createTokenizer();
  const revisions = new WeakMap<RecallBase, RecallRevision>();

  function toBase(row: RevisionRow | undefined): RecallBase {
    const read = toRevision(row, address);
    const revision = read.ok
      ? read.value
      : { revision: row?.revision ?? 0, progress: noProgress, isUseless: true };
    const problems = read.ok ? [] : [read.error];
    const base = { progress: revision.progress, isDamaged: !read.ok, problems };
    revisions.set(base, revision);
    return base;
  }

  return {
    async base() {
      const found = await database.query<RevisionRow>(
        `select format, revision, progress from ${schema}.recall_state where project = $1`,
        [project],
        { isRepeatable: true },
      );
      return found.ok ? ok(toBase(found.value.rows[0])) : found;
    },
    async draft(base) {
      const revision = revisions.get(base);
      if (revision === undefined) throw new TypeError("A draft begins with a base of the same index.");
      const { createRecallDraft } = await import("./recall-draft.ts");
      return createRecallDraft({ ...options, tokenizer, base: revision });
    },
    rank: (request) => rankDocuments(options, request),
    vectors: createRecallVectors(options),
  };
}

/** Vectors by document, each number in one byte, as in `recall`. Compared here, so no extension is needed. */
function createRecallVectors(rows: RecallRows): RecallVectors {
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
