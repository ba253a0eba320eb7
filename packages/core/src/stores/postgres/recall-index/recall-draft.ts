import type { Tokenizer } from "../../../recall/index.ts";
import { addFrequency } from "../../../recall/postings.ts";
import {
  maxFieldChars,
  type RecallDocument,
  recallFields,
  recallKinds,
} from "../../../recall/recall-document.ts";
import {
  fail,
  type Ids,
  ok,
  type RecallDocumentHead,
  type RecallDraft,
  type RecallDrop,
  type Result,
} from "../../../spec/index.ts";
import type { Run } from "../database.ts";
import { addDocuments } from "./add-documents.ts";
import {
  encodeProgress,
  memoryKind,
  type RecallRevision,
  type RecallRows,
  recallFormat,
} from "./recall-rows.ts";

const maxLength = 0xffff;

/** A document without its text. */
export interface MeasuredDocument {
  readonly head: RecallDocumentHead;
  /** How many words each field has, stop words too. */
  readonly lengths: readonly number[];
  /** Numbers in the draft's vocabulary, each once. */
  readonly terms: Uint32Array;
  /** As `addFrequency` counts, by place in `terms`. */
  readonly frequencies: Uint16Array;
}

export interface RecallDraftParts extends RecallRows {
  readonly ids: Ids;
  readonly tokenizer: Tokenizer;
  readonly base: RecallRevision;
}

export function createRecallDraft(parts: RecallDraftParts): RecallDraft {
  const { tokenizer, ids, base } = parts;
  const vocabulary = new Map<string, number>();
  const documents: MeasuredDocument[] = [];
  const token = ids.next("recall");

  /** Terms that are the same in bytes are the same. */
  function termNumber(cut: string): number {
    const term = cut.toWellFormed();
    const known = vocabulary.get(term) ?? vocabulary.size;
    if (known === vocabulary.size) vocabulary.set(term, known);
    return known;
  }

  function measure({ fields, ...head }: RecallDocument): MeasuredDocument {
    const counts = new Map<number, number>();
    const lengths = recallFields.map((name, field) => {
      const { terms, length } = tokenizer.measure((fields[name] ?? "").slice(0, maxFieldChars));
      for (const term of terms) {
        const number = termNumber(term);
        counts.set(number, addFrequency(counts.get(number) ?? 0, field));
      }
      return Math.min(maxLength, length);
    });
    const terms = Uint32Array.from(counts.keys());
    return { head, lengths, terms, frequencies: Uint16Array.from(counts.values()) };
  }

  return {
    get documents() {
      return documents.length;
    },
    add(document) {
      documents.push(measure(document));
    },
    publish: (drop) => publishDraft(parts, { token, base, drop, documents, terms: [...vocabulary.keys()] }),
  };
}

export interface DraftToPublish {
  /** Of this draft alone; published twice it is published once. */
  readonly token: string;
  readonly base: RecallRevision;
  readonly drop: RecallDrop;
  readonly documents: readonly MeasuredDocument[];
  /** By number. */
  readonly terms: readonly string[];
}

/** How many updates are known by their token. */
const knownTokens = 32;

/** One transaction that holds the project's row: others wait, and then find a newer revision. */
export async function publishDraft(rows: RecallRows, draft: DraftToPublish): Promise<Result<void>> {
  return rows.database.transaction(
    async (run) => {
      const present = await holdState(rows, run);
      if (present.tokens.includes(draft.token)) return ok();
      if (present.revision !== draft.base.revision)
        return fail("conflict", "Another process has updated the search index.", {
          path: rows.database.address,
          retryable: true,
        });
      const emptied = await dropDocuments(rows, run, draft);
      await addDocuments(rows, run, draft);
      await run(
        `delete from ${rows.database.schema}.recall_term where id = any($1::bigint[]) and documents = 0`,
        [emptied],
      );
      await run(
        `update ${rows.database.schema}.recall_state set format = $2, revision = revision + 1, progress = $3,
           tokens = (array_prepend($4::text, tokens))[1:$5]
         where project = $1`,
        [rows.project, recallFormat, encodeProgress(draft.drop.progress), draft.token, knownTokens],
      );
      return ok();
    },
    { isRepeatable: true },
  );
}

interface HeldState {
  readonly revision: number;
  readonly tokens: readonly string[];
}

/** Locks the project's row until the transaction ends; makes it where there is none. */
export async function holdState({ database, project }: RecallRows, run: Run): Promise<HeldState> {
  const { schema } = database;
  const hold = () =>
    run<HeldState>(`select revision, tokens from ${schema}.recall_state where project = $1 for update`, [
      project,
    ]);
  const [held] = (await hold()).rows;
  if (held) return held;
  await run(
    `insert into ${schema}.recall_state (project, format, progress) values ($1, $2, $3)
     on conflict (project) do nothing`,
    [project, recallFormat, encodeProgress({ sessions: new Map(), memories: new Map() })],
  );
  return (await hold()).rows[0] as HeldState;
}

const notesKind = recallKinds.indexOf("notes");
const toBytes = (names: ReadonlySet<string>) => [...names].map((name) => Buffer.from(name));

/**
 * Removes documents with their vectors, and takes them out of all counts. Gives the terms that no document holds now:
 * those that none holds after the addition either are to be removed.
 */
async function dropDocuments(
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
