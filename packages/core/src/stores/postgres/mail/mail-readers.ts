import { ok, type Processes, type ProcessIdentity, type Result } from "../../../spec/index.ts";
import { judgeHolder } from "../../files/leases/holder-judgement.ts";
import { readerPatienceMs } from "../../files/mailbox/mail-readers.ts";
import type { Database } from "../database.ts";

export interface ReaderScene {
  readonly database: Database;
  readonly project: string;
  readonly processes: Processes;
  /** This reader's id. */
  readonly self: string;
}

/** What waits in a mailbox, by who has it. */
export interface SeenReaders {
  readonly isEmpty: boolean;
  /** Readers whose mail may be offered again: their process is dead, or gave no sign for too long. */
  readonly over: readonly string[];
}

interface ReaderRow {
  readonly reader: string | null;
  readonly identity: Buffer | null;
  /** By the server's clock. */
  readonly silent_ms: number | null;
}

/** Who has taken mail of a receiver and not acknowledged it. */
export async function seeReaders(scene: ReaderScene, to: string): Promise<Result<SeenReaders>> {
  const { database, project, self } = scene;
  const { schema } = database;
  const found = await database.query<ReaderRow>(
    `select m.reader, r.identity,
       (extract(epoch from clock_timestamp() - r.heartbeat) * 1000)::float8 as silent_ms
     from (select distinct reader from ${schema}.mail
       where project = $1 and receiver = $2 and acknowledged is null) as m
     left join ${schema}.mail_reader as r on r.project = $1 and r.receiver = $2 and r.reader = m.reader`,
    [project, to],
    { isRepeatable: true },
  );
  if (!found.ok) return found;
  const over: string[] = [];
  for (const row of found.value.rows) {
    if (row.reader === null || row.reader === self) continue;
    if (await isOver(scene, row)) over.push(row.reader);
  }
  return ok({ isEmpty: found.value.rows.length === 0, over });
}

/** Offers again what readers have taken that are over. */
export async function freeMail(
  { database, project }: ReaderScene,
  to: string,
  over: readonly string[],
): Promise<Result<void>> {
  if (over.length === 0) return ok();
  const freed = await database.query(
    `update ${database.schema}.mail set reader = null
     where project = $1 and receiver = $2 and reader = any($3::text[]) and acknowledged is null`,
    [project, to, over],
    { isRepeatable: true },
  );
  return freed.ok ? ok() : freed;
}

async function isOver({ processes }: ReaderScene, { identity, silent_ms }: ReaderRow): Promise<boolean> {
  if (identity === null) return true;
  const known = JSON.parse(identity.toString("utf8")) as ProcessIdentity;
  const state = await judgeHolder(known, await processes.self(), processes.look);
  return state === "dead" || (state === "unsure" && (silent_ms ?? 0) > readerPatienceMs);
}
