import { ok, type RedactionRecord, type Result } from "../../../spec/index.ts";
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
