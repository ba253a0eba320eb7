import { fail, ok, type Result } from "../../spec/index.ts";
import type { Database } from "./database.ts";
import { type Migration, migrations } from "./migrations/index.ts";

export interface SchemaReport {
  readonly version: number;
  /** Names of the steps that were made now. */
  readonly applied: readonly string[];
}

/** Any whole number, the same in every process. */
const lockKey = 7_201_926;

/**
 * Brings the schema to this version: each step once, whoever else does so at the same moment. A schema that is newer
 * than this program is left as it is.
 */
export async function migrate(
  database: Database,
  steps: readonly Migration[] = migrations,
): Promise<Result<SchemaReport>> {
  const { schema } = database;
  const found = await presentVersion(database);
  if (!found.ok) return found;
  if (found.value > steps.length) return newerSchema(database, found.value, steps.length);
  if (found.value === steps.length) return ok({ version: found.value, applied: [] });
  return database.transaction(
    async (run) => {
      await run("select pg_advisory_xact_lock($1, hashtext($2))", [lockKey, schema]);
      await run(`create schema if not exists ${schema}`);
      await run(
        `create table if not exists ${schema}.migration (
          number int primary key, name text not null, at timestamptz not null default now())`,
      );
      const { rows } = await run<{ number: number }>(
        `select coalesce(max(number), 0) as number from ${schema}.migration`,
      );
      const before = rows[0]?.number ?? 0;
      if (before > steps.length) return newerSchema(database, before, steps.length);
      const missing = steps.slice(before);
      for (const { number, name, sql } of missing) {
        await run(sql(schema));
        await run(`insert into ${schema}.migration (number, name) values ($1, $2)`, [number, name]);
      }
      return ok({ version: steps.length, applied: missing.map(({ name }) => name) });
    },
    { isRepeatable: true },
  );
}

/** 0 where there is no schema yet. */
export async function presentVersion(database: Database): Promise<Result<number>> {
  const { schema } = database;
  const present = await database.query<{ name: string | null }>(
    "select to_regclass($1)::text as name",
    [`${schema}.migration`],
    { isRepeatable: true },
  );
  if (!present.ok) return present;
  if (present.value.rows[0]?.name === null) return ok(0);
  const found = await database.query<{ number: number }>(
    `select coalesce(max(number), 0) as number from ${schema}.migration`,
    [],
    { isRepeatable: true },
  );
  return found.ok ? ok(found.value.rows[0]?.number ?? 0) : found;
}

function newerSchema({ address }: Database, present: number, known: number): Result<never> {
  return fail(
    "newer-format",
    `The schema on ${address} is version ${present}; this program knows ${known}.`,
    {
      fix: "Use a newer palimpsest; the older one changes nothing here.",
      facts: { present, known },
    },
  );
}
