import { resolve } from "node:path";
import { createRuntime } from "../runtime.ts";
import {
  type Clock,
  type Ids,
  ok,
  type Processes,
  type ProjectStores,
  type Result,
  type WriterIdentity,
} from "../spec/index.ts";
import { version } from "../version.ts";
import { dataRoot } from "./files/data-root.ts";
import { createNodeDisk } from "./files/disk/node-disk.ts";
import { createFileStores } from "./files/stores.ts";
import { decideStore, type StoreInput } from "./store-url.ts";

/** The base of a database's stores besides it. */
export interface PostgresStoresOptions {
  readonly url: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
  /** The writer in every log written here. */
  readonly writer: WriterIdentity;
}

/** Connects, and brings the schema up to date; a failure says what is wrong with the database, never its password. */
export type OpenPostgresStores = (options: PostgresStoresOptions) => Promise<Result<ProjectStores>>;

export interface OpenStoresOptions extends Partial<StoreInput> {
  /** The data root; `PALIMPSEST_HOME` and its defaults when absent. */
  readonly home?: string;
  /** The clock for entries and leases; the machine's own when absent. */
  readonly clock?: Clock;
  readonly openPostgres?: OpenPostgresStores;
}

/**
 * Where projects are stored: in the database that was asked for, or in files below the data root. Whoever opens them
 * closes them. The one place that chooses.
 */
export async function openStores(options: OpenStoresOptions = {}): Promise<Result<ProjectStores>> {
  const runtime = createRuntime();
  const { environment = runtime.environment, openPostgres = importPostgres } = options;
  const { store, databaseUrl } = options;
  const choice = decideStore({ environment, store, databaseUrl });
  if (!choice.ok) return choice;
  const { ids, processes } = runtime;
  const { clock = runtime.clock } = options;
  const { pid, host } = await processes.self();
  const parts = { clock, ids, processes, writer: { pid, host, version } };
  if (choice.value.kind === "postgres") return openPostgres({ ...parts, url: choice.value.url });
  const home = resolve(options.home ?? dataRoot(environment, runtime.homeFolder));
  return ok(createFileStores({ ...parts, home, disk: createNodeDisk() }));
}

/** For programs: a database only where they name one, since `DATABASE_URL` may be their own. */
export function openNamedStores({
  home,
  clock,
  databaseUrl,
}: Pick<OpenStoresOptions, "home" | "clock" | "databaseUrl">): Promise<Result<ProjectStores>> {
  return openStores({ home, clock, ...(databaseUrl === undefined ? { store: "files" } : { databaseUrl }) });
}

/** Its client is loaded only where it is used. */
const importPostgres: OpenPostgresStores = async (options) => {
  const { openPostgresStores } = await import("./postgres/index.ts");
  return openPostgresStores(options);
};
