import type { Pool, PoolClient } from "pg";
import { fail, ok, type Result, type WorkOrder } from "../../../spec/index.ts";
import { type Database, databaseDefaults, type Pg, type Run } from "../database.ts";
import { type GraphileWorker, loadGraphileWorker } from "./load-graphile-worker.ts";

/** Where the database is, for the queue, which has connections of its own. */
export interface WorkLocation {
  readonly database: Database;
  readonly url: string;
}

/** The schema that the queue keeps its tables in, not quoted: beside ours. */
export const workSchemaOf = ({ schema }: Database) => `${schema.slice(1, -1)}_worker`;

/** Says nothing: what has to be said comes as results and events. */
export function silentLogger({ Logger }: GraphileWorker) {
  return new Logger(() => () => undefined);
}

/** Makes the queue's tables, or brings them to its version. Fine to call at once from many. */
export async function makeWorkSchema({ database, url }: WorkLocation): Promise<Result<void>> {
  const loaded = await loadGraphileWorker();
  if (!loaded.ok) return loaded;
  try {
    await loaded.value.runMigrations({
      connectionString: url,
      schema: workSchemaOf(database),
      noPreparedStatements: true,
      maxPoolSize: 1,
      logger: silentLogger(loaded.value),
    });
    return ok();
  } catch (cause) {
    return fail(
      "io",
      `The queue on ${database.address} could not be made: ${String((cause as Error).message)}`,
      {
        fix: "Give the database user the right to make schemas, or make the queue's with another one.",
        cause,
      },
    );
  }
}

/** Whether the queue's tables are there. */
export async function hasWorkSchema(database: Database): Promise<Result<boolean>> {
  const found = await database.query<{ readonly name: string | null }>(
    "select to_regclass($1)::text as name",
    [`"${workSchemaOf(database)}".jobs`],
    { isRepeatable: true },
  );
  return found.ok ? ok(found.value.rows[0]?.name !== null) : found;
}

/** A worker's events, for a person to read. */
export type WorkerEvent =
  | { readonly type: "work-start"; readonly id: string; readonly order: WorkOrder; readonly attempt: number }
  | {
      readonly type: "work-end";
      readonly id: string;
      readonly order: WorkOrder;
      /** `again`: it is put back, and nobody's fault. `failed`: it is tried again later, if there are attempts left. */
      readonly outcome: "done" | "again" | "stopped" | "failed";
      readonly message: string;
    }
  /** The worker waits for the server, and goes on when it is back. */
  | { readonly type: "server-away"; readonly message: string }
  | { readonly type: "server-back" };

type ClientCallback = (error: Error | undefined, client: PoolClient | undefined, release: Release) => void;
type Release = (error?: boolean | Error) => void;

/**
 * The queue's connections. Where a server goes away while a worker ends, the queue gives back the connection it listens
 * on twice; the second time would end the process, and is not heard here.
 */
export function openQueuePool({ Pool: PlainPool }: Pg, url: string, maxConnections: number): Pool {
  class QueuePool extends PlainPool {
    override connect(): Promise<PoolClient>;
    override connect(taken: ClientCallback): void;
    override connect(taken?: ClientCallback): Promise<PoolClient> | undefined {
      if (!taken) return super.connect();
      super.connect((error, client, release) => taken(error, client, onlyOnce(release)));
      return undefined;
    }
  }
  const pool = new QueuePool({
    connectionString: url,
    max: maxConnections,
    connectionTimeoutMillis: databaseDefaults.connectMs,
    keepAlive: true,
    application_name: "palimpsest worker",
  });
  pool.on("connect", (client) => client.on("error", () => undefined));
  pool.on("error", () => undefined);
  return pool;
}

/** Where there is no connection to give back, none is given back. */
function onlyOnce(release: Release | undefined): Release {
  let isReleased = false;
  return (error) => {
    if (!isReleased) release?.(error);
    isReleased = true;
  };
}

/**
 * A transaction whose answer may be lost: sent again it asks the server whether it was committed, and then does nothing
 * and answers as the first time. So it needs nothing in the rows to be known by.
 */
export async function commitOnce<T>(
  database: Database,
  work: (run: Run) => Promise<Result<T>>,
): Promise<Result<T>> {
  let before: { readonly transaction: string; readonly value: T } | null = null;
  return database.transaction(
    async (run) => {
      if (before !== null && (await isCommitted(run, before.transaction))) return ok(before.value);
      const done = await work(run);
      if (!done.ok) return done;
      const { rows } = await run<{ readonly id: string }>("select pg_current_xact_id()::text as id");
      before = { transaction: rows[0]?.id ?? "", value: done.value };
      return done;
    },
    { isRepeatable: true },
  );
}

/** The server may still be about to commit, or hold the connection for open: that is waited for, a second at most. */
async function isCommitted(run: Run, transaction: string): Promise<boolean> {
  for (let looks = 1; ; looks += 1) {
    const sql = "select pg_xact_status($1::text::xid8) as status, pg_sleep($2)";
    const { rows } = await run<{ readonly status: string | null }>(sql, [transaction, looks > 1 ? 0.02 : 0]);
    const status = rows[0]?.status;
    if (status !== "in progress" || looks === 50) return status === "committed";
  }
}
