import { documentKey } from "../../../recall/index.ts";
import { recallKinds } from "../../../recall/recall-document.ts";
import { toVectors } from "../../../recall/vectors.ts";
import { ok, type RecallVectors, type Result } from "../../../spec/index.ts";
import { holdState } from "./recall-draft.ts";
import { memoryKind, type RecallRows } from "./recall-rows.ts";

/** Vectors for a document that is gone are left out. Put twice it is put once. */
export async function putVectors(
  rows: RecallRows,
  { id, dimensions }: Parameters<RecallVectors["put"]>[0],
  made: Parameters<RecallVectors["put"]>[1],
): Promise<Result<number>> {
  const { database, project } = rows;
  const { schema } = database;
  const { scales, values } = toVectors(
    dimensions,
    made.map(({ head, vector }) => ({ key: documentKey(head), vector })),
  );
  const heads = made.map(({ head }) => head);
  return database.transaction(
    async (run) => {
      await holdState(rows, run);
      const { count: isChanged } = await run(
        `update ${schema}.recall_state set embeddings = $2 where project = $1 and embeddings is distinct from $2`,
        [project, Buffer.from(id)],
      );
      if (isChanged > 0) await run(`delete from ${schema}.recall_vector where project = $1`, [project]);
      const { count } = await run(
        `insert into ${schema}.recall_vector (document, project, scale, content)
         select distinct on (d.id) d.id, $1, g.scale, g.content
         from unnest($2::smallint[], $3::bytea[], $4::bytea[], $5::bigint[], $6::float4[], $7::bytea[])
           as g (kind, session, name, number, scale, content)
         join ${schema}.recall_document as d on d.project = $1 and d.kind = g.kind and d.session = g.session
           and d.name = g.name and (d.kind <> ${memoryKind} or d.number = g.number)
         on conflict (document) do update set scale = excluded.scale, content = excluded.content`,
        [
          project,
          heads.map(({ kind }) => recallKinds.indexOf(kind)),
          heads.map(({ session }) => Buffer.from(session)),
          heads.map((head) => Buffer.from(head.id)),
          heads.map(({ number }) => number >>> 0),
          Array.from(scales),
          heads.map((_, at) => Buffer.from(values.slice(at * dimensions, (at + 1) * dimensions).buffer)),
        ],
      );
      return ok(count);
    },
    { isRepeatable: true },
  );
}
