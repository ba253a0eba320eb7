import {
  type Clock,
  type FlagReach,
  type FlagStore,
  fail,
  ok,
  type Result,
  type StoredFlags,
} from "../../spec/index.ts";
import { type Database, openDatabase } from "./database.ts";
import { presentVersion } from "./migrate.ts";
import { migration } from "./migrations/0007-flags.ts";

interface PostgresFlagStoreOptions {
  readonly database: Database;
  /** The project's slug. */
  readonly project: string;
}

interface FlagRow {
  readonly name: Buffer;
  readonly value: Buffer | null;
  readonly is_killed: boolean;
}

const everyProject = "";
const repeatable = { isRepeatable: true } as const;

/** One row a flag and project. A write that is sent again says the same again. */
export function createPostgresFlagStore({ database, project }: PostgresFlagStoreOptions): FlagStore {
  const { schema, address } = database;
  const projectOf = (reach: FlagReach) => (reach === "everywhere" ? everyProject : project);

  return {
    async read() {
      // Flags of all projects come first, so that those of this one are put over them.
      const found = await database.query<FlagRow>(
        `select name, value, is_killed from ${schema}.flag where project = $1 or project = $2
         order by project, name`,
        [everyProject, project],
        repeatable,
      );
      return found.ok ? toStoredFlags(found.value.rows, address) : found;
    },
    async set(name, { value, isKilled }, reach) {
      const key = [projectOf(reach), Buffer.from(name)];
      const isTakenBack = value === undefined && !isKilled;
      const written = isTakenBack
        ? await database.query(`delete from ${schema}.flag where project = $1 and name = $2`, key, repeatable)
        : await database.query(
            `insert into ${schema}.flag (project, name, value, is_killed) values ($1, $2, $3, $4)
             on conflict (project, name) do update set value = excluded.value, is_killed = excluded.is_killed`,
            [...key, value === undefined ? null : Buffer.from(JSON.stringify(value)), isKilled],
            repeatable,
          );
      return written.ok ? ok() : written;
    },
  };
}

function toStoredFlags(rows: readonly FlagRow[], address: string): Result<StoredFlags> {
  const values = new Map<string, unknown>();
  const killed = new Set<string>();
  for (const { name: bytes, value, is_killed } of rows) {
    const name = bytes.toString("utf8");
    if (is_killed) killed.add(name);
    if (value === null) continue;
    try {
      values.set(name, JSON.parse(value.toString("utf8")));
    } catch (cause) {
      const path = `${address}#flag/${name}`;
      const fix = `Set it again: palimpsest config set-flag ${name} default`;
      return fail("corrupt", `${path} is not JSON.`, { path, cause, fix });
    }
  }
  return ok({ address, values: Object.fromEntries(values), killed: [...killed] });
}

interface LookAtFlagsOptions {
  readonly url: string;
  readonly clock: Clock;
  /** The project's slug. */
  readonly project: string;
}

/** It says how things are now: nothing is tried twice. */
const patienceMs = 0;

/** The flags of a project, without making anything; `undefined` where the schema has none yet. */
export async function lookAtFlags({
  url,
  clock,
  project,
}: LookAtFlagsOptions): Promise<Result<StoredFlags | undefined>> {
  const opened = await openDatabase({ url, clock, patienceMs });
  if (!opened.ok) return opened;
  const database = opened.value;
  try {
    const version = await presentVersion(database);
    if (!version.ok) return version;
    return version.value < migration.number
      ? ok(undefined)
      : await createPostgresFlagStore({ database, project }).read();
  } finally {
    await database.close();
  }
}
