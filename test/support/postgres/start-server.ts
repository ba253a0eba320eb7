import type { TestProject } from "vitest/node";
import { postgresAbsence, startPostgres } from "../../../scripts/postgres/start-postgres.mjs";

declare module "vitest" {
  interface ProvidedContext {
    /** The address of the server of this run, or why there is none. */
    readonly postgres: { readonly url: string } | { readonly absence: string };
  }
}

/** One server for all tests of a run; each file has a schema of its own on it. */
export default async function startServer(project: TestProject): Promise<() => Promise<void>> {
  const absence = postgresAbsence();
  if (absence !== null) {
    if (process.env.CI) throw new Error(`Tests on Postgres cannot run: ${absence}`);
    console.log(`Tests on Postgres are skipped: ${absence}`);
    project.provide("postgres", { absence });
    return async () => undefined;
  }
  const server = await startPostgres({ settings: { deadlock_timeout: "50ms" } });
  project.provide("postgres", { url: server.url });
  return () => server.stop();
}
