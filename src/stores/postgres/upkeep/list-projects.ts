import { ok, type Result } from "../../../spec/index.ts";
import type { Database } from "../database.ts";

export interface ListedProject {
  readonly slug: string;
  readonly createdAt: string;
}

/** Every project that ever had a session in this database, by name. */
export async function listProjects(database: Database): Promise<Result<readonly ListedProject[]>> {
  const found = await database.query<{ slug: string; created_at: Date }>(
    `select slug, created_at from ${database.schema}.project order by slug`,
    [],
    { isRepeatable: true },
  );
  if (!found.ok) return found;
  return ok(found.value.rows.map(({ slug, created_at }) => ({ slug, createdAt: created_at.toISOString() })));
}
