import { ok, type Result } from "../../../spec/index.ts";
import { sessionFileName } from "../../shared/layout.ts";
import type { ProjectRows } from "./tombstone.ts";

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
