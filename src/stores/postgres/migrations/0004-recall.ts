import type { Migration } from "./migration.ts";

export const migration: Migration = {
  number: 4,
  name: "recall",
  sql: (schema) => `select 1 /* ${schema} */`,
};
