import type { Migration } from "./migration.ts";

/**
 * `tree_file` is locked by whoever writes a path and says which version is its newest; `tree_version` holds every
 * version there ever was. `token` is of the write: sent twice it is found again.
 */
export const migration: Migration = {
  number: 2,
  name: "trees",
  sql: (schema) => `
create table ${schema}.tree_file (
  project text collate "C" not null,
  tree text collate "C" not null,
  path bytea not null,
  version bigint not null,
  is_removed boolean not null,
  primary key (project, tree, path)
) with (fillfactor = 70);
create table ${schema}.tree_version (
  project text collate "C" not null,
  tree text collate "C" not null,
  path bytea not null,
  version bigint not null,
  token text collate "C" not null,
  at text not null,
  about bytea not null,
  sha256 text not null,
  is_removed boolean not null,
  content bytea not null,
  primary key (project, tree, path, version),
  unique (project, token)
);
create table ${schema}.consolidate_lock (
  project text collate "C" primary key,
  last_ms bigint,
  token text,
  holder bytea,
  since timestamptz,
  ended text[] not null default '{}'
);
create table ${schema}.learned (
  project text collate "C" not null,
  name text collate "C" not null,
  value bytea not null,
  primary key (project, name)
);
create table ${schema}.notes_copy (
  project text collate "C" not null,
  session text collate "C" not null,
  content bytea not null,
  at timestamptz not null default now(),
  primary key (project, session)
)`,
};
