import { ok, type Result, type SessionFootprint, type SessionPart } from "../../../spec/index.ts";
import { sessionFileName } from "../../files/layout.ts";
import type { ProjectRows } from "./tombstone.ts";

interface PartRow {
  readonly kind: Exclude<SessionPart["kind"], "agent">;
  readonly session: string;
  readonly part: string;
  readonly bytes: number;
}

/** What goes when the session is removed, its forks included, as bytes of content without what the server adds. */
export async function sessionFootprint(
  { database, project }: ProjectRows,
  session: string,
): Promise<Result<SessionFootprint>> {
  const name = sessionFileName(session);
  if (!name.ok) return name;
  const found = await database.query<PartRow>(footprintStatement(database.schema), [project, session], {
    isRepeatable: true,
  });
  if (!found.ok) return found;
  const parts = found.value.rows.map(
    (row): SessionPart => ({
      kind: row.session === session ? row.kind : "agent",
      address: `${database.address}#${project}/${row.session}${row.part}`,
      bytes: row.bytes,
    }),
  );
  // A name is no second copy of its blob.
  const stored = found.value.rows.filter(({ kind }) => kind !== "tool-result");
  return ok({ parts, bytes: stored.reduce((sum, { bytes }) => sum + bytes, 0) });
}

function footprintStatement(schema: string): string {
  const within = (table = "") =>
    `where ${table}project = $1 and (${table}session = $2
       or (${table}session > $2 || '/' and ${table}session < $2 || '0'))`;
  return `select kind, session, part, bytes from (
    select 1 as rank, 'log' as kind, session, '' as part, bytes from ${schema}.log ${within()}
    union all
    select 2, 'aside', session, '.' || kind || '@' || place, length(content) from ${schema}.aside ${within()}
    union all
    select 3, 'blob', session, '/' || sha256, bytes from ${schema}.blob ${within()}
    union all
    select 4, 'tool-result', n.session, '/' || name, bytes from ${schema}.blob_name n
      join ${schema}.blob using (project, session, sha256) ${within("n.")}
    union all
    select 5, 'notes', session, '/notes', length(content) from ${schema}.notes_copy ${within()}
  ) as part order by session <> $2, rank, session, part`;
}
