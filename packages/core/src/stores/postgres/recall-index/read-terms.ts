import { fieldCount } from "../../../recall/segment.ts";
import type { Run } from "../database.ts";
import { type RecallRows, recallFormat } from "./recall-rows.ts";

/** A word of the query that is in the index. */
export interface HeldTerm {
  readonly id: number;
  readonly term: string;
  /** How many documents hold it. */
  readonly holding: number;
  readonly rarity: number;
}

export interface HeldTerms {
  /** The rarest first, each once. */
  readonly terms: readonly HeldTerm[];
  /** The mean length of each field, over the documents that have it. */
  readonly meanLengths: readonly number[];
}

interface TermRow {
  readonly documents: number;
  readonly length_sums: readonly string[];
  readonly length_counts: readonly string[];
  readonly id: number;
  readonly term: Buffer;
  readonly holding: number;
}

export async function readTerms(
  { database, project }: RecallRows,
  run: Run,
  wanted: readonly string[],
): Promise<HeldTerms> {
  const { schema } = database;
  const { rows } = await run<TermRow>(
    `select s.documents, s.length_sums, s.length_counts, t.id, t.term, t.documents as holding
     from ${schema}.recall_state as s join ${schema}.recall_term as t on t.project = s.project
     where s.project = $1 and s.format = ${recallFormat} and t.term = any($2::bytea[])`,
    [project, [...new Set(wanted)].map((term) => Buffer.from(term))],
  );
  const terms = rows.map(({ id, term, holding, documents }) => ({
    id,
    term: term.toString("utf8"),
    holding,
    rarity: Math.log(1 + (documents - holding + 0.5) / (holding + 0.5)),
  }));
  terms.sort((a, b) => b.rarity - a.rarity || (a.term < b.term ? -1 : 1));
  const meanLengths = Array.from({ length: fieldCount }, (_, field) => {
    const sum = Number(rows[0]?.length_sums[field] ?? 0);
    return sum === 0 ? 1 : sum / Number(rows[0]?.length_counts[field]);
  });
  return { terms, meanLengths };
}
