import { randomBytes } from "node:crypto";
import { afterAll, describe, inject } from "vitest";
import { createRuntime } from "../../../packages/core/src/runtime.ts";
import {
  type Database,
  type DatabaseOptions,
  openDatabase,
} from "../../../packages/core/src/stores/postgres/database.ts";
import { migrate } from "../../../packages/core/src/stores/postgres/migrate.ts";
import { must } from "../../../packages/testing/src/conformance/outcomes.ts";
import { startOwnServer } from "./own-server.ts";

/** The server of the run, or one of this file where the run has none. */
const given = inject("postgres") ?? (await startOwnServer());

/** `describe` for what needs the server. */
export const describeOnPostgres: typeof describe.skip = "url" in given ? describe : describe.skip;

export function postgresUrl(): string {
  if (!("url" in given)) throw new Error(given.absence);
  return given.url;
}

/** A database handle on a schema that nobody else has. Closed with its schema when the file is through. */
export async function openEmptyDatabase(options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const schema = `test_${randomBytes(8).toString("hex")}`;
  const { clock } = createRuntime();
  const database = must(await openDatabase({ url: postgresUrl(), clock, schema, ...options }));
  afterAll(async () => {
    const dropping = must(await openDatabase({ url: postgresUrl(), clock, schema }));
    must(await dropping.query(`drop schema if exists ${database.schema} cascade`));
    await Promise.all([database.close(), dropping.close()]);
  });
  return database;
}

/** As `openEmptyDatabase`, with our tables in it. */
export async function openTestDatabase(options: Partial<DatabaseOptions> = {}): Promise<Database> {
  const database = await openEmptyDatabase(options);
  must(await migrate(database));
  return database;
}

/** Another process's handle on the same schema. */
export async function openBeside(
  database: Database,
  options: Partial<DatabaseOptions> = {},
): Promise<Database> {
  const { clock } = createRuntime();
  const schema = database.schema.slice(1, -1);
  const other = must(await openDatabase({ url: postgresUrl(), clock, schema, ...options }));
  afterAll(() => other.close());
  return other;
}
