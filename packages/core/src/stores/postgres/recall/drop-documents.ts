import { recallKinds } from "../../../recall/recall-document.ts";
import type { Run } from "../database.ts";
import type { DraftToPublish } from "./publish-draft.ts";
import { memoryKind, type RecallRows } from "./recall-rows.ts";

const notesKind = recallKinds.indexOf("notes");
const toBytes = (names: ReadonlySet<string>) => [...names].map((name) => Buffer.from(name));

/**
 * Removes documents with their vectors, and takes them out of all counts. Gives the terms that no document holds now:
 * those that none holds after the addition either are to be removed.
 */
export async function dropDocuments(
  { database, project }: RecallRows,
  run: Run,
  { base, drop }: DraftToPublish,
): Promise<readonly string[]> {
  const { schema } = database;
  const { droppedMemories, droppedNotes, droppedSessions } = drop;
  if (!base.isUseless && droppedMemories.size + droppedNotes.size + droppedSessions.size === 0) return [];
  const { rows } = await run<{ emptied: string[] | null }>(
    `with gone as (
       delete from ${schema}.recall_document as d where d.project = $1 and (
         $2::boolean
         or (d.session = '\\x'::bytea and d.kind = ${memoryKind} and d.name = any($3::bytea[]))
         or (d.session = any($4::bytea[]) and d.kind = ${notesKind})
         or (d.session = any($5::bytea[]) and d.kind <> ${memoryKind}))
       returning d.id, d.terms, d.lengths),
     forgotten as (delete from ${schema}.recall_vector as v using gone where v.document = gone.id),
     lost as (select term, count(*) as documents from gone, unnest(gone.terms) as term group by term),
     lowered as (
       update ${schema}.recall_term as t set documents = t.documents - lost.documents
       from lost where t.id = lost.term returning t.id, t.documents),
     state as (
       update ${schema}.recall_state as s set
         documents = s.documents - (select count(*) from gone),
         length_sums = array(select s.length_sums[field] - coalesce((select sum(lengths[field]) from gone), 0)
           from generate_series(1, 4) as field order by field),
         length_counts = array(select s.length_counts[field] - (select count(*) from gone where lengths[field] > 0)
           from generate_series(1, 4) as field order by field)
       where s.project = $1)
     select array_agg(id) filter (where documents = 0) as emptied from lowered`,
    [project, base.isUseless, toBytes(droppedMemories), toBytes(droppedNotes), toBytes(droppedSessions)],
  );
  return rows[0]?.emptied ?? [];
}
