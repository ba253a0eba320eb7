import type { Migration } from "./migration.ts";

/**
 * A mail that was acknowledged stays as a head without content for as long as it could be sent again. `mail_lane` gives
 * the numbers of one sender's mails, so that they are seen in the order of their numbers.
 */
export const migration: Migration = {
  number: 3,
  name: "mail",
  sql: (schema) => `
create table ${schema}.mail_lane (
  project text collate "C" not null,
  receiver text collate "C" not null,
  sender text collate "C" not null,
  last bigint not null,
  primary key (project, receiver, sender)
) with (fillfactor = 70);
create table ${schema}.mail (
  project text collate "C" not null,
  receiver text collate "C" not null,
  id text collate "C" not null,
  sender text collate "C" not null,
  seq bigint not null,
  content bytea not null,
  accepted timestamptz not null default clock_timestamp(),
  reader text collate "C",
  acknowledged timestamptz,
  primary key (project, receiver, id, sender)
);
create index mail_waiting on ${schema}.mail (project, receiver, sender, seq) where acknowledged is null;
create table ${schema}.mail_reader (
  project text collate "C" not null,
  receiver text collate "C" not null,
  reader text collate "C" not null,
  identity bytea not null,
  heartbeat timestamptz not null,
  primary key (project, receiver, reader)
);
create table ${schema}.agent_record (
  project text collate "C" not null,
  name bytea not null,
  token text not null,
  record bytea not null,
  identity bytea not null,
  heartbeat timestamptz not null,
  primary key (project, name)
)`,
};
