import { createRuntime } from "../../runtime.ts";
import {
  type FindSecretOptions,
  fail,
  ok,
  type ProjectStores,
  type Redaction,
  type Result,
} from "../../spec/index.ts";
import { version } from "../../version.ts";
import type { PostgresStoresOptions } from "../open-stores.ts";
import { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { createPostgresStore } from "./store.ts";
import { createPostgresBackgroundWork } from "./work/background-work.ts";

/** A person waits for the answer that the server is away. */
const firstPatienceMs = 5_000;
const connectMs = 5_000;

/** Options; the defaults are this machine's. */
export interface OpenPostgresStoresOptions
  extends Partial<Omit<PostgresStoresOptions, "url" | "clock">>,
    Partial<DatabaseOptions> {
  readonly url: string;
}

/** Connects, and brings the schema up to date; `newer-format` where it is newer than this program. */
export async function openPostgresStores(options: OpenPostgresStoresOptions): Promise<Result<ProjectStores>> {
  const runtime = createRuntime();
  const { clock = runtime.clock, ids = runtime.ids, processes = runtime.processes } = options;
  const { pid, host } = await processes.self();
  const { writer = { pid, host, version } } = options;
  const opened = await openDatabase({ firstPatienceMs, connectMs, ...options, clock });
  if (!opened.ok) return opened;
  const database = opened.value;
  const migrated = await migrate(database);
  if (!migrated.ok) {
    await database.close();
    return migrated;
  }
  return ok({
    kind: "postgres",
    address: database.address,
    projects: () => listProjects(database),
    store: (project) => createPostgresStore({ database, project, clock, ids, processes, writer }),
    work: createPostgresBackgroundWork({ database, url: options.url }),
    findSecret: (redaction, request) => findSecret(database, redaction, request),
    close: () => database.close(),
  });
}

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

/** Rows that may hold a secret. */
interface Location {
  readonly from: string;
  readonly content: string;
  /** Rows of a session have a column `session` beside `project`. */
  readonly isOfSession: boolean;
  /** Bytes: where it is, for people to read, behind the database's address. */
  readonly address: string;
}

/**
 * Addresses of all that holds the secret, of every project, but for what is the excepted session's. The server looks;
 * nothing is sent but the addresses.
 */
async function findSecret(
  database: Database,
  { needles }: Redaction,
  { except, signal }: FindSecretOptions,
): Promise<Result<readonly string[]>> {
  const longest = Math.max(1, ...needles.map(({ length }) => length));
  const found = new Set<string>();
  for (const location of locationsOf(database.schema, longest)) {
    const holders = await database.query<{ address: Buffer }>(
      statementOf(location),
      location.isOfSession ? [needles, except.project, except.session] : [needles],
      { isRepeatable: true, signal },
    );
    if (signal?.aborted) return fail("aborted", "Looking for the secret was interrupted.");
    if (!holders.ok) return holders;
    for (const { address } of holders.value.rows)
      found.add(`${database.address}#${address.toString("utf8")}`);
  }
  return ok([...found]);
}

function statementOf({ from, content, isOfSession, address }: Location): string {
  const isOther = `not (project = $2 and (session = $3 or (session > $3 || '/' and session < $3 || '0')))`;
  return `select distinct ${address} as address from ${from}
    where ${isOfSession ? isOther : "true"}
      and exists (select from unnest($1::bytea[]) as needle where position(needle in ${content}) > 0)
    order by address`;
}

const bytesOf = (text: string) => `convert_to(${text}, 'UTF8')`;
const inSession = (part: string) => bytesOf(`project || '/' || session || ${part}`);

function locationsOf(schema: string, longest: number): readonly Location[] {
  const blob = inSession("'/' || sha256");
  const content = "content";
  return [
    {
      from: `${schema}.log join ${schema}.entry on log_id = log.id`,
      content: "line",
      isOfSession: true,
      address: inSession("''"),
    },
    {
      from: `${schema}.aside`,
      content,
      isOfSession: true,
      address: inSession("'.' || kind || '@' || place"),
    },
    { from: `${schema}.blob_chunk`, content, isOfSession: true, address: blob },
    { from: seams(schema, longest), content, isOfSession: true, address: blob },
    { from: `${schema}.notes_copy`, content, isOfSession: true, address: inSession("'/notes'") },
    {
      from: `${schema}.tombstone`,
      content: "why",
      isOfSession: true,
      address: inSession("'.tombstone'"),
    },
    {
      from: `${schema}.tree_version`,
      content: "path || '\\x0a'::bytea || about || '\\x0a'::bytea || content",
      isOfSession: false,
      address: `${bytesOf("project || '/' || tree || '/'")} || path || ${bytesOf("'@' || version")}`,
    },
    {
      from: `${schema}.mail`,
      content,
      isOfSession: false,
      address: bytesOf("project || '/mail/' || receiver || '/' || id"),
    },
    {
      from: `${schema}.recall_term`,
      content: "term",
      isOfSession: false,
      address: bytesOf("project || '/recall'"),
    },
    {
      from: `${schema}.learned`,
      content: "value",
      isOfSession: false,
      address: bytesOf("project || '/learned/' || name"),
    },
  ];
}

/** The end of each chunk of a blob with the beginning of the next: a secret may stand on both. */
function seams(schema: string, longest: number): string {
  const length = "length(one.content)";
  return `(select one.project, one.session, one.sha256,
      substr(one.content, greatest(1, ${length} - ${longest - 2})) || substr(next.content, 1, ${longest - 1}) as content
    from ${schema}.blob_chunk as one join ${schema}.blob_chunk as next
      on next.project = one.project and next.session = one.session and next.sha256 = one.sha256
        and next.number = one.number + 1) as seam`;
}
