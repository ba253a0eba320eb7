import type { Migration } from "./migration.ts";

/** Amounts are whole billionths of a dollar. `held` is the sum of the day's reservations that are not over. */
export const migration: Migration = {
  number: 5,
  name: "work",
  sql: (schema) => `
    create table ${schema}.spending (
      scope bytea not null,
      day date not null,
      spent bigint not null default 0,
      held bigint not null default 0,
      primary key (scope, day)
    );
    create table ${schema}.spending_reservation (
      id text primary key,
      scope bytea not null,
      day date not null,
      amount bigint not null,
      until timestamptz not null,
      is_over boolean not null default false
    );
    create index spending_reservation_until on ${schema}.spending_reservation (until);
    create table ${schema}.work_process (
      id text primary key,
      host text not null,
      pid int not null,
      kinds text[] not null,
      begun_at timestamptz not null default now(),
      seen_at timestamptz not null default now()
    );
    create table ${schema}.work_stop (
      job bigint primary key,
      at timestamptz not null default now()
    );`,
};
