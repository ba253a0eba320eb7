import {
  fail,
  type LeaseStore,
  type LogListing,
  ok,
  type Processes,
  type Result,
  type SessionFootprint,
  type SessionHolder,
  type SessionPart,
  type StoreSessions,
} from "../../spec/index.ts";
import { sessionFileName } from "../shared/layout.ts";
import { judgeHolder, leasePatienceMs } from "../shared/leases.ts";
import { findLog, toLogListing } from "./log/log-row.ts";
import { isStillThere, placeBehind, readPage, writtenAnew } from "./log/read-log.ts";
import { forksOf } from "./upkeep/redaction-record.ts";
import { absentSession, type ProjectRows, readTombstone } from "./upkeep/tombstone.ts";

export interface PostgresSessionsOptions extends ProjectRows {
  readonly processes: Processes;
  readonly leases: LeaseStore;
}

interface DescribedRow {
  readonly id: number;
  readonly bytes: number;
  readonly modified_at: Date;
  readonly listing: Buffer;
  readonly damaged_lines: number;
}

const repeatable = { isRepeatable: true } as const;

export function createPostgresSessions(options: PostgresSessionsOptions): StoreSessions {
  const { database, project, processes, leases } = options;
  const { schema } = database;

  async function find(session: string): Promise<Result<DescribedRow>> {
    const name = sessionFileName(session);
    if (!name.ok) return name;
    const found = await database.query<DescribedRow>(
      `select id, bytes, modified_at, listing, damaged_lines from ${schema}.log
       where project = $1 and session = $2`,
      [project, session],
      repeatable,
    );
    if (!found.ok) return found;
    const [row] = found.value.rows;
    return row ? ok(row) : absentSession(options, session);
  }

  /** By the server's clock, which has set the heartbeat too. */
  async function isRecent(session: string): Promise<Result<boolean>> {
    const found = await database.query(
      `select from ${schema}.lease where project = $1 and name = $2
         and heartbeat_at > clock_timestamp() - $3::float8 * interval '1 millisecond'`,
      [project, session, leasePatienceMs],
      repeatable,
    );
    return found.ok ? ok(found.value.count > 0) : found;
  }

  return {
    lines: (session, signal) => logLines(options, session, signal),
    async ids(prefix = "") {
      if (prefix.includes("\0")) return ok([]);
      const found = await database.query<{ session: string }>(
        `select session from ${schema}.log
         where project = $1 and strpos(session, '/') = 0 and starts_with(session, $2) order by session`,
        [project, prefix],
        repeatable,
      );
      return found.ok ? ok(found.value.rows.map(({ session }) => session)) : found;
    },
    agentsOf: async (session) => (session.includes("/") ? ok([]) : forksOf(options, session)),
    async listing(session): Promise<LogListing> {
      const found = await find(session);
      if (!found.ok)
        return { session, bytes: 0, modifiedAt: new Date(0).toISOString(), problem: found.error.message };
      const { bytes, modified_at, listing, damaged_lines } = found.value;
      return {
        session,
        bytes,
        modifiedAt: modified_at.toISOString(),
        ...toLogListing(listing, damaged_lines),
      };
    },
    async stamp(session) {
      const found = await find(session);
      if (!found.ok) return found;
      const { id, bytes, modified_at } = found.value;
      return ok({ identity: String(id), end: bytes, bytes, modifiedAt: modified_at.toISOString() });
    },
    tombstone: (session) => readTombstone(options, session),
    footprint: (session) => sessionFootprint(options, session),
    async holder(session): Promise<Result<SessionHolder | null>> {
      const held = await leases.holder(session);
      if (!held.ok || held.value === null) return held.ok ? ok(null) : held;
      const recent = await isRecent(session);
      if (!recent.ok) return recent;
      const state = await judgeHolder(held.value, await processes.self(), processes.look);
      return ok({ holder: held.value, state, isRecent: recent.value });
    },
    address: (session) => `${database.address}, session ${session}`,
  };
}

/** The bytes of a log in chunks, up to where it ended when reading began; what is damaged comes as it is. */
async function* logLines(
  rows: ProjectRows,
  session: string,
  signal?: AbortSignal,
): AsyncGenerator<Result<Uint8Array>> {
  const { database } = rows;
  const log = await findLog(rows, session);
  if (!log.ok) return yield log;
  const { id, bytes } = log.value;
  let told = 0;
  for (let from = 0; from < bytes; ) {
    if (signal?.aborted) return yield fail("aborted", `Reading session ${session} was interrupted.`);
    const page = await readPage(database, log.value, from);
    if (!page.ok) return yield page;
    const chunk = Buffer.concat(page.value.map(({ line }) => line));
    told += chunk.length;
    if (chunk.length > 0) yield ok(chunk);
    // A damaged row may be longer or shorter than the place it has.
    const next = await placeBehind(database, log.value, page.value.at(-1)?.place ?? from);
    if (!next.ok) return yield next;
    from = next.value;
  }
  if (told === bytes) return;
  const isThere = await isStillThere(database, id);
  if (!isThere.ok) yield isThere;
  else if (!isThere.value) yield writtenAnew();
}

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
