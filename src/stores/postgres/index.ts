export { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
export { migrate, presentVersion, type SchemaReport } from "./migrate.ts";
export { createPostgresStore, type PostgresStoreOptions } from "./postgres-store.ts";
export { type OpenPostgresStoresOptions, openPostgresStores } from "./postgres-stores.ts";
export { createPostgresSpendingLedger, type PostgresSpendingOptions } from "./spending/spending-ledger.ts";
export { createPostgresBackgroundWork } from "./work/background-work.ts";
export { runPostgresWorker, type WorkerOptions } from "./work/run-worker.ts";
export type { WorkPlace } from "./work/work-schema.ts";
export type { WorkerEvent } from "./work/worker-event.ts";
