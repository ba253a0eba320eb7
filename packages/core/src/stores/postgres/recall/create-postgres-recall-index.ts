import { createTokenizer, noProgress } from "../../../recall/index.ts";
import { type Ids, ok, type RecallBase, type RecallIndex } from "../../../spec/index.ts";
import { type RankingRows, rankDocuments } from "./rank-documents.ts";
import { type RecallRevision, type RevisionRow, toRevision } from "./recall-rows.ts";
import { createRecallVectors } from "./recall-vectors.ts";

export interface PostgresRecallIndexOptions extends RankingRows {
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
    rank: (question) => rankDocuments(options, question),
    vectors: createRecallVectors(options),
  };
}
