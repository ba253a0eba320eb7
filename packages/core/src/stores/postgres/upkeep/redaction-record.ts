import { ok, type RedactionRecord, type Result } from "../../../spec/index.ts";
import { sessionFileName } from "../../shared/layout.ts";
import type { Run } from "../database.ts";
import type { ProjectRows } from "./tombstone.ts";

/** Oldest first; none where nothing was ever redacted. */
export async function readRedactions(
  { database, project }: ProjectRows,
  session: string,
): Promise<Result<readonly RedactionRecord[]>> {
  const found = await database.query<{ record: Buffer }>(
    `select record from ${database.schema}.redaction where project = $1 and session = $2 order by made_at`,
    [project, session],
    { isRepeatable: true },
  );
  if (!found.ok) return found;
  return ok(found.value.rows.map(({ record }) => JSON.parse(record.toString("utf8")) as RedactionRecord));
}

export async function hasRedaction(
  run: Run,
  { database, project }: ProjectRows,
  session: string,
  id: string,
): Promise<boolean> {
  const { count } = await run(
    `select 1 from ${database.schema}.redaction where project = $1 and session = $2 and id = $3`,
    [project, session, id],
  );
  return count > 0;
}

export async function writeRedaction(
  run: Run,
  { database, project }: ProjectRows,
  session: string,
  id: string,
  record: RedactionRecord,
): Promise<void> {
  await run(
    `insert into ${database.schema}.redaction (project, session, id, record) values ($1, $2, $3, $4)`,
    [project, session, id, Buffer.from(JSON.stringify(record))],
  );
}

/** The forks that live inside a session, as session ids. */
export async function forksOf(
  { database, project }: ProjectRows,
  session: string,
): Promise<Result<readonly string[]>> {
  const name = sessionFileName(session);
  if (!name.ok) return name;
  const found = await database.query<{ session: string }>(
    `select session from ${database.schema}.log where project = $1 and session > $2 and session < $3
     order by session`,
    [project, `${session}/`, `${session}0`],
    { isRepeatable: true },
  );
  return found.ok ? ok(found.value.rows.map((row) => row.session)) : found;
}
