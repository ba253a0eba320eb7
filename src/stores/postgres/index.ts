export { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
export { maskedUrl } from "./masked-url.ts";
export { migrate, presentVersion, type SchemaReport } from "./migrate.ts";
export { createPostgresSpendingLedger, type PostgresSpendingOptions } from "./spending/spending-ledger.ts";
export { createPostgresBackgroundWork } from "./work/background-work.ts";
export { runPostgresWorker, type WorkerEvent, type WorkerOptions } from "./work/run-worker.ts";
export type { WorkPlace } from "./work/work-schema.ts";
