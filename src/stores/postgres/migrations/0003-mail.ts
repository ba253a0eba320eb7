import type { Migration } from "./migration.ts";

export const migration: Migration = {
  number: 3,
  name: "mail",
  sql: (schema) => `select 1 /* ${schema} */`,
};
