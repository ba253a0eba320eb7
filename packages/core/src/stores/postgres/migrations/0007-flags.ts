import type { Migration } from "./migration.ts";

/** Flags of one project; the project '' is all of them. `value` is JSON, and absent where only the kill switch is set. */
export const migration: Migration = {
  number: 7,
  name: "flags",
  sql: (schema) => `
create table ${schema}.flag (
  project text collate "C" not null,
  name bytea not null,
  value bytea,
  is_killed boolean not null,
  primary key (project, name)
)`,
};
