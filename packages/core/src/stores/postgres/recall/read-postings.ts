import { onceInBody } from "../../../recall/postings.ts";
import type { RecallFilter } from "../../../spec/index.ts";
import type { Run } from "../database.ts";
import { factsBytes } from "./document-facts.ts";
import type { HeldTerm } from "./read-terms.ts";
import { filterValues, isChosen, messageKind, type RecallRows } from "./recall-rows.ts";

/** A term's postings as bytes behind one another: the document's id, how often it holds the term, its facts. */
export interface TermPostings {
  readonly term: HeldTerm;
  readonly bytes: Buffer;
}

export const packedAt = 8;
export const factsAt = 10;
export const postingBytes = factsAt + factsBytes;

/** Of `recall_document as d` that holds `t.id`. Rows of many columns take the driver longer than all else. */
const posting = `int8send(d.id) || int2send(coalesce(d.often[array_position(d.often_terms, t.id)], ${onceInBody}::smallint))
  || d.facts`;

interface PostingsRow {
  readonly id: number;
  readonly postings: Buffer;
}

const inOrder = (terms: readonly HeldTerm[], rows: readonly PostingsRow[]): readonly TermPostings[] => {
  const found = new Map(rows.map(({ id, postings }) => [id, postings]));
  return terms.flatMap((term) => {
    const bytes = found.get(term.id);
    return bytes ? [{ term, bytes }] : [];
  });
};

/** The postings of these terms, of each the newest so many. */
export async function readPostings(
  { database, project }: RecallRows,
  run: Run,
  terms: readonly HeldTerm[],
  filter: RecallFilter,
  limitPerTerm: number,
): Promise<readonly TermPostings[]> {
  const isLimited = terms.some(({ holding }) => holding > limitPerTerm);
  const { rows } = await run<PostingsRow>(
    `select t.id, string_agg(p.posting, '') as postings
     from unnest($2::bigint[]) as t (id) cross join lateral (
       select ${posting} as posting from ${database.schema}.recall_document as d
       where d.project = $1 and d.terms @> array[t.id] and ${isChosen(3)}
       ${isLimited ? `order by d.id desc limit ${limitPerTerm}` : ""}) as p
     group by t.id`,
    [project, terms.map(({ id }) => id), ...filterValues(filter)],
  );
  return inOrder(terms, rows);
}

/**
 * The postings of all the terms in documents that hold one of the first, and in the messages up to two before and
 * behind them.
 */
export async function readPostingsAround(
  { database, project }: RecallRows,
  run: Run,
  first: readonly HeldTerm[],
  terms: readonly HeldTerm[],
  filter: RecallFilter,
): Promise<readonly TermPostings[]> {
  const { schema } = database;
  const { rows } = await run<PostingsRow>(
    `with held as materialized (
       select d.id, d.kind, d.session, d.number from ${schema}.recall_document as d
       where d.project = $1 and d.terms && $2::bigint[] and ${isChosen(4)}),
     around as materialized (
       select id from held union
       select n.id from held join ${schema}.recall_document as n
         on n.project = $1 and n.session = held.session and n.number between held.number - 2 and held.number + 2
       where held.kind = ${messageKind} and n.kind = ${messageKind})
     select t.id, string_agg(${posting}, '') as postings
     from around join ${schema}.recall_document as d on d.id = around.id
     join unnest($3::bigint[]) as t (id) on t.id = any(d.terms)
     group by t.id`,
    [project, first.map(({ id }) => id), terms.map(({ id }) => id), ...filterValues(filter)],
  );
  return inOrder(terms, rows);
}
