export { type Database, type DatabaseOptions, openDatabase } from "./database.ts";
export { maskedUrl } from "./masked-url.ts";
export { migrate, presentVersion, type SchemaReport } from "./migrate.ts";
