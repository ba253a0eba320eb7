import { afterAll } from "vitest";
import { postgresAbsence, startPostgres } from "../../../scripts/postgres/start-postgres.mjs";

/** A server for one file of tests, where the run has none; it ends with the file. */
export async function startOwnServer(): Promise<{ readonly url: string } | { readonly absence: string }> {
  const absence = postgresAbsence();
  if (absence !== null) {
    if (process.env.CI) throw new Error(`Tests on Postgres cannot run: ${absence}`);
    console.log(`Tests on Postgres are skipped: ${absence}`);
    return { absence };
  }
  const server = await startPostgres({ settings: { deadlock_timeout: "50ms" } });
  afterAll(() => server.stop());
  return { url: server.url };
}
