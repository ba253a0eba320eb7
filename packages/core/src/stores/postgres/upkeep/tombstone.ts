import { fail, ok, type Result, type Tombstone } from "../../../spec/index.ts";
import { sessionFileName } from "../../shared/layout.ts";
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

/** The answer for a session that has no log: removed, with the date, or never there. */
export async function absentSession(rows: ProjectRows, session: string): Promise<Result<never>> {
  const own = await readTombstone(rows, session);
  if (!own.ok) return own;
  const [root = session] = session.split("/");
  /** A fork goes with the session it lives in. */
  const tombstone = own.value === null && root !== session ? await readTombstone(rows, root) : own;
  if (!tombstone.ok) return tombstone;
  if (tombstone.value === null) {
    return fail("not-found", `There is no session ${session}.`, {
      path: session,
      fix: "“palimpsest sessions list --all” shows all there are.",
    });
  }
  const { at, why } = tombstone.value;
  return fail("collected", `Session ${session} was removed on ${at.slice(0, 10)} (${why}).`, {
    path: session,
    facts: { at, why },
  });
}
