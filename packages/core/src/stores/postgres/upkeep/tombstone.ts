import { ok, type Result, type Tombstone } from "../../../spec/index.ts";
import { sessionFileName } from "../../shared/layout.ts";
import { refuseAbsentSession } from "../../shared/refuse-absent-session.ts";
import type { Database } from "../database.ts";

/** Where the rows of one project are. */
export interface ProjectRows {
  readonly database: Database;
  readonly project: string;
}

/** `null` where there is none. */
export async function readTombstone(
  { database, project }: ProjectRows,
  session: string,
): Promise<Result<Tombstone | null>> {
  const name = sessionFileName(session);
  if (!name.ok) return name;
  const found = await database.query<{ at: string; why: Buffer }>(
    `select at, why from ${database.schema}.tombstone where project = $1 and session = $2`,
    [project, session],
    { isRepeatable: true },
  );
  if (!found.ok) return found;
  const [row] = found.value.rows;
  return ok(row ? { session, at: row.at, why: row.why.toString("utf8") } : null);
}

export const absentSession = (rows: ProjectRows, session: string): Promise<Result<never>> =>
  refuseAbsentSession(session, (name) => readTombstone(rows, name));
