import { ok, type Result } from "../../../spec/index.ts";
import { findLog } from "../log/log-row.ts";
import type { ProjectRows } from "./tombstone.ts";

/** What goes when the session is removed, its forks included, as bytes of content without what the server adds. */
export interface SessionFootprint {
  readonly logs: number;
  readonly entries: number;
  readonly logBytes: number;
  readonly blobs: number;
  readonly blobBytes: number;
  readonly asides: number;
  readonly asideBytes: number;
}

export async function sessionFootprint(
  rows: ProjectRows,
  session: string,
): Promise<Result<SessionFootprint>> {
  const present = await findLog(rows, session);
  if (!present.ok) return present;
  const { database, project } = rows;
  const { schema } = database;
  const within = `where project = $1 and (session = $2 or (session > $2 || '/' and session < $2 || '0'))`;
  const found = await database.query<SessionFootprint>(
    `select * from
       (select count(*) as logs, coalesce(sum(entries), 0)::bigint as entries,
          coalesce(sum(bytes), 0)::bigint as "logBytes" from ${schema}.log ${within}) as log,
       (select count(*) as blobs, coalesce(sum(bytes), 0)::bigint as "blobBytes"
          from ${schema}.blob ${within}) as blob,
       (select count(*) as asides, coalesce(sum(length(content)), 0)::bigint as "asideBytes"
          from ${schema}.aside ${within}) as aside`,
    [project, session],
    { isRepeatable: true },
  );
  return found.ok ? ok(found.value.rows[0] as SessionFootprint) : found;
}
