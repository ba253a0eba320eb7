import { createRuntime } from "../../runtime.ts";
import { ok, type ProjectStores, type Result } from "../../spec/index.ts";
import { version } from "../../version.ts";
import type { PostgresStoresOptions } from "../open-stores.ts";
import { type DatabaseOptions, openDatabase } from "./database.ts";
import { migrate } from "./migrate.ts";
import { createPostgresStore } from "./postgres-store.ts";
import { findSecret } from "./upkeep/find-secret.ts";
import { listProjects } from "./upkeep/list-projects.ts";
import { createPostgresBackgroundWork } from "./work/background-work.ts";

/** A person waits for the answer that the server is away. */
const firstPatienceMs = 5_000;
const connectMs = 5_000;

/** What is not given is this machine's. */
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
