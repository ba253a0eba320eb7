import type { Migration } from "./migration.ts";

export const migration: Migration = {
  number: 2,
  name: "trees",
  sql: (schema) => `select 1 /* ${schema} */`,
};
