import { onceInBody } from "../../../recall/postings.ts";
import { recallKinds } from "../../../recall/recall-document.ts";
import { fieldCount } from "../../../recall/segment.ts";
import type { Run } from "../database.ts";
import type { DraftToPublish, MeasuredDocument } from "./recall-draft.ts";
import { encodeFacts, type RecallRows } from "./recall-rows.ts";

/** So many rows go with one statement. */
const termsAtOnce = 10_000;
const documentsAtOnce = 1_000;

export async function addDocuments(rows: RecallRows, run: Run, draft: DraftToPublish): Promise<void> {
  const { documents, terms } = draft;
  if (documents.length === 0) return;
  const idOf = await addTerms(rows, run, terms, countHolding(documents, terms.length));
  for (let from = 0; from < documents.length; from += documentsAtOnce)
    await insertDocuments(rows, run, documents.slice(from, from + documentsAtOnce), idOf);
  await addLengths(rows, run, documents);
}

function countHolding(documents: readonly MeasuredDocument[], terms: number): Uint32Array {
  const holding = new Uint32Array(terms);
  for (const document of documents)
    for (const term of document.terms) holding[term] = (holding[term] as number) + 1;
  return holding;
}

/** The id of each term by its number, as text. */
async function addTerms(
  { database, project }: RecallRows,
  run: Run,
  terms: readonly string[],
  holding: Uint32Array,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let from = 0; from < terms.length; from += termsAtOnce) {
    const some = terms.slice(from, from + termsAtOnce).map((term) => Buffer.from(term));
    const { rows } = await run<{ id: number; at: number }>(
      `with given as (
         select * from unnest($2::bytea[], $3::bigint[]) with ordinality as g (term, documents, at)),
       kept as (
         insert into ${database.schema}.recall_term as t (project, term, documents)
         select $1, term, documents from given
         on conflict (project, term) do update set documents = t.documents + excluded.documents
         returning t.id, t.term)
       select kept.id, given.at from kept join given using (term)`,
      [project, some, Array.from(holding.subarray(from, from + termsAtOnce))],
    );
    for (const { id, at } of rows) ids[from + at - 1] = String(id);
  }
  return ids;
}

async function insertDocuments(
  { database, project }: RecallRows,
  run: Run,
  documents: readonly MeasuredDocument[],
  idOf: readonly string[],
): Promise<void> {
  const heads = documents.map(({ head }) => head);
  const postings = documents.map((document) => toPostings(document, idOf));
  await run(
    `insert into ${database.schema}.recall_document
       (project, kind, session, name, at_ms, place, number, facts, lengths, terms, often_terms, often)
     select $1, kind, session, name, at_ms, place, number, facts,
       lengths::int[], terms::bigint[], often_terms::bigint[], often::smallint[]
     from unnest($2::smallint[], $3::bytea[], $4::bytea[], $5::float8[], $6::float8[], $7::bigint[],
       $8::bytea[], $9::text[], $10::text[], $11::text[], $12::text[]) with ordinality
       as g (kind, session, name, at_ms, place, number, facts, lengths, terms, often_terms, often, at)
     order by at`,
    [
      project,
      heads.map(({ kind }) => recallKinds.indexOf(kind)),
      heads.map(({ session }) => Buffer.from(session)),
      heads.map(({ id }) => Buffer.from(id)),
      heads.map(({ atMs }) => atMs),
      heads.map(({ place }) => place),
      heads.map(({ number }) => number >>> 0),
      documents.map(({ head, lengths }) => encodeFacts(head, lengths)),
      documents.map(({ lengths }) => toArray(lengths)),
      ...[postings.map(({ terms }) => terms), postings.map(({ oftenTerms }) => oftenTerms)],
      postings.map(({ often }) => often),
    ],
  );
}

const toArray = (values: readonly unknown[]) => `{${values.join(",")}}`;

function toPostings({ terms, frequencies }: MeasuredDocument, idOf: readonly string[]) {
  const ids = Array.from(terms, (term) => idOf[term] as string);
  const often = [...frequencies.keys()].filter((at) => frequencies[at] !== onceInBody);
  return {
    terms: toArray(ids),
    oftenTerms: toArray(often.map((at) => ids[at])),
    often: toArray(often.map((at) => frequencies[at])),
  };
}

async function addLengths(
  { database, project }: RecallRows,
  run: Run,
  documents: readonly MeasuredDocument[],
): Promise<void> {
  const sums = new Array<number>(fieldCount).fill(0);
  const counts = new Array<number>(fieldCount).fill(0);
  for (const { lengths } of documents)
    for (const [field, length] of lengths.entries()) {
      sums[field] = (sums[field] as number) + length;
      counts[field] = (counts[field] as number) + (length > 0 ? 1 : 0);
    }
  await run(
    `update ${database.schema}.recall_state as s set documents = s.documents + $2,
       length_sums = array(select s.length_sums[at] + more
         from unnest($3::bigint[]) with ordinality as g (more, at) order by at),
       length_counts = array(select s.length_counts[at] + more
         from unnest($4::bigint[]) with ordinality as g (more, at) order by at)
     where s.project = $1`,
    [project, documents.length, sums, counts],
  );
}
