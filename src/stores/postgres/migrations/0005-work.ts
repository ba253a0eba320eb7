import type { Migration } from "./migration.ts";

export const migration: Migration = {
  number: 5,
  name: "work",
  sql: (schema) => `select 1 /* ${schema} */`,
};
