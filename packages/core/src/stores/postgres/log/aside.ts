import { type LogDamage, ok, type Result } from "../../../spec/index.ts";
import type { ProjectRows } from "../upkeep/tombstone.ts";

/** Copies damaged bytes out of a log, once however often it is opened. Gives where they are, one address a kind. */
export async function keepAside(
  { database, project }: ProjectRows,
  session: string,
  logId: number,
  damages: readonly LogDamage[],
): Promise<Result<readonly string[]>> {
  if (damages.length === 0) return ok([]);
  const { schema, address } = database;
  const kept = await database.query(
    `insert into ${schema}.aside (project, session, kind, place, sha256, content)
     select $1, $2, damage.kind, damage.place, encode(sha256(piece.content), 'hex'), piece.content
     from unnest($4::text[], $5::bigint[], $6::bigint[]) as damage (kind, place, bytes),
       lateral (
         select substr(line, (damage.place - place + 1)::int, damage.bytes::int) as content
         from ${schema}.entry where log_id = $3 and place <= damage.place order by place desc limit 1
       ) as piece
     where length(piece.content) > 0
     on conflict do nothing`,
    [
      project,
      session,
      logId,
      damages.map(({ kind }) => kind),
      damages.map(({ offset }) => offset),
      damages.map(({ bytes }) => bytes),
    ],
    { isRepeatable: true },
  );
  if (!kept.ok) return kept;
  const kinds = new Set(damages.map(({ kind }) => kind));
  return ok([...kinds].sort().map((kind) => `${address}#${project}/${session}.${kind}`));
}
