import { fail, ok, type RecallDrop, type Result } from "../../../spec/index.ts";
import type { Run } from "../database.ts";
import { addDocuments } from "./add-documents.ts";
import { dropDocuments } from "./drop-documents.ts";
import type { MeasuredDocument } from "./recall-draft.ts";
import { encodeProgress, type RecallRevision, type RecallRows, recallFormat } from "./recall-rows.ts";

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
