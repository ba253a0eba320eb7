import { type Clock, ok, type Result, type StoredFlags } from "../../../spec/index.ts";
import { openDatabase } from "../database.ts";
import { presentVersion } from "../migrate.ts";
import { migration } from "../migrations/0007-flags.ts";
import { createPostgresFlagStore } from "./flag-store.ts";

export interface LookAtFlagsOptions {
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
