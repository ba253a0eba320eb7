import { fail, ok, type Result } from "../../../spec/index.ts";
import type { Database } from "../database.ts";
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
