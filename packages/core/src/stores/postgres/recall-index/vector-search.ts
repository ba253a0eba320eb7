import { toTextTable } from "../../../recall/segment.ts";
import { closenessTo, type Vectors } from "../../../recall/vectors.ts";
import type { RecallDocumentHead, RecallFilter, Result } from "../../../spec/index.ts";
import type { Run } from "../database.ts";
import { bestDocuments, readHeads, type ScoredDocument } from "./best-documents.ts";
import { filterValues, isChosen, type RecallRows, withOneRevision } from "./recall-rows.ts";

/** So many vectors are compared with one query, those of the newest documents. */
const maxCompared = 50_000;
/** So many are read with one statement, and kept as one part. */
const readAtOnce = 2_000;

export interface VectorSearch {
  /** The closest documents, best first. */
  closest(
    query: Float32Array,
    limit: number,
    filter: RecallFilter,
  ): Promise<Result<readonly RecallDocumentHead[]>>;
}

interface Part {
  readonly documents: readonly number[];
  readonly vectors: Vectors;
}

/** Documents by id with their time, of those that are asked for and have a vector. */
interface VectorDocuments {
  readonly embeddings: string;
  readonly atMsOf: ReadonlyMap<number, number>;
}

/**
 * Compares with every vector there is. A document's vector never changes while the embeddings stay, so each is read
 * once by a process, and kept. One query at a time.
 */
export function createVectorSearch(rows: RecallRows): VectorSearch {
  const { schema } = rows.database;
  let parts: Part[] = [];
  let known = new Set<number>();
  let keptOf = "";

  async function readAsked(run: Run, filter: RecallFilter): Promise<VectorDocuments> {
    const found = await run<{ embeddings: Buffer | null; documents: Buffer | null }>(
      `select s.embeddings, (
         select string_agg(int8send(n.id) || float8send(n.at_ms), '') from (
           select d.id, d.at_ms from ${schema}.recall_vector as v join ${schema}.recall_document as d on d.id = v.document
           where v.project = $1 and ${isChosen(2)} and ($4::float8 is null or d.at_ms >= $4::float8)
           order by d.id desc limit ${maxCompared}) as n) as documents
       from ${schema}.recall_state as s where s.project = $1`,
      [rows.project, ...filterValues(filter), filter.sinceMs ?? null],
    );
    const [row] = found.rows;
    const atMsOf = new Map<number, number>();
    const bytes = row?.documents ?? Buffer.alloc(0);
    for (let at = 0; at < bytes.length; at += 16)
      atMsOf.set(Number(bytes.readBigInt64BE(at)), bytes.readDoubleBE(at + 8));
    return { embeddings: row?.embeddings?.toString("hex") ?? "", atMsOf };
  }

  function forget(): void {
    parts = [];
    known = new Set();
  }

  async function readMissing(run: Run, { embeddings, atMsOf }: VectorDocuments): Promise<void> {
    const wanted = [...atMsOf.keys()];
    if (keptOf !== embeddings || known.size > 2 * maxCompared) forget();
    keptOf = embeddings;
    const missing = wanted.filter((document) => !known.has(document));
    for (let from = 0; from < missing.length; from += readAtOnce) {
      const found = await run<VectorRow>(
        `select document, scale, content from ${schema}.recall_vector where document = any($1::bigint[])`,
        [missing.slice(from, from + readAtOnce)],
      );
      parts.push(toPart(found.rows));
      for (const { document } of found.rows) known.add(document);
    }
  }

  function closest(query: Float32Array, limit: number, filter: RecallFilter) {
    return withOneRevision(rows, async (run) => {
      const asked = await readAsked(run, filter);
      await readMissing(run, asked);
      const scored = parts.flatMap((part) => compareWith(part, query, asked));
      const best = await readHeads(rows, run, bestDocuments(scored, limit), limit);
      return best.map(({ head }) => head);
    });
  }

  let turn: Promise<unknown> = Promise.resolve();
  return {
    closest(query, limit, filter) {
      const next = turn.then(() => closest(query, limit, filter));
      turn = next;
      return next;
    },
  };
}

interface VectorRow {
  readonly document: number;
  readonly scale: number;
  readonly content: Buffer;
}

function toPart(rows: readonly VectorRow[]): Part {
  const dimensions = rows[0]?.content.length ?? 0;
  const values = new Int8Array(rows.length * dimensions);
  for (const [at, { content }] of rows.entries())
    values.set(content.subarray(0, dimensions), at * dimensions);
  const scales = Float32Array.from(rows, ({ scale }) => scale);
  return {
    documents: rows.map(({ document }) => document),
    vectors: { dimensions, keys: toTextTable([]), scales, values },
  };
}

function compareWith({ documents, vectors }: Part, query: Float32Array, { atMsOf }: VectorDocuments) {
  const scored: ScoredDocument[] = [];
  const closeness = closenessTo(query, vectors);
  for (const [at, document] of documents.entries()) {
    const atMs = atMsOf.get(document);
    if (atMs !== undefined) scored.push({ document, score: closeness[at] as number, atMs });
  }
  return scored;
}
