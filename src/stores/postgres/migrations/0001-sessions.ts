import type { Migration } from "./migration.ts";

export const migration: Migration = {
  number: 1,
  name: "sessions",
  sql: (schema) => `select 1 /* ${schema} */`,
};
