import { ok, type Result } from "../../../spec/index.ts";
import type { Database } from "../database.ts";

/** Every table that has something of a project; each is read from one project to the next. */
const tables = ["log", "tombstone", "blob", "tree_file", "notes_copy", "mail_lane", "consolidate_lock"];

/** Slugs of all projects of which something is stored, sorted by code unit. */
export async function listProjects(database: Database): Promise<Result<readonly string[]>> {
  const { schema } = database;
  const steps = tables.map((table) => {
    const next = (behind: string) =>
      `(select project from ${schema}.${table} ${behind} order by project limit 1)`;
    return `(with recursive present (project) as (
        ${next("")}
        union all
        select ${next("where project > present.project")} from present where present.project is not null
      ) select project from present)`;
  });
  const found = await database.query<{ project: string }>(
    `select distinct project from (${steps.join(" union ")}) as known where project is not null`,
    [],
    { isRepeatable: true },
  );
  return found.ok ? ok(found.value.rows.map(({ project }) => project).sort()) : found;
}
