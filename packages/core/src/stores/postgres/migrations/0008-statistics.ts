import type { Migration } from "./migration.ts";

/** Columns with texts of people and models, by table. */
const contents = [
  ["entry", "line"],
  ["log", "listing"],
  ["blob_chunk", "content"],
  ["aside", "content"],
  ["notes_copy", "content"],
  ["tree_version", "content"],
  ["tree_version", "about"],
  ["mail", "content"],
] as const;

/** Nobody looks for contents by their value: the server keeps no samples of them among its statistics. */
export const migration: Migration = {
  number: 8,
  name: "statistics",
  sql: (schema) =>
    contents
      .map(([table, column]) => `alter table ${schema}.${table} alter column ${column} set statistics 0;`)
      .join("\n"),
};
