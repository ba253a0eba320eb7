import {
  type Clock,
  fail,
  type Ids,
  type Lease,
  type LeaseStore,
  type LogListing,
  type LogStore,
  ok,
  type Result,
  type WriterIdentity,
} from "../../../spec/index.ts";
import { sessionFileName } from "../../shared/layout.ts";
import type { Database, Run } from "../database.ts";
import type { PostgresLeaseStore } from "../leases/lease-store.ts";
import { forksOf } from "../upkeep/redaction-record.ts";
import type { ProjectRows } from "../upkeep/tombstone.ts";
import { findLog, toLogListing } from "./log-row.ts";
import { openLog, startLog } from "./open-writer.ts";
import { readEntryAt, readLog } from "./read-log.ts";

export interface PostgresLogStoreOptions {
  readonly database: Database;
  /** The project's slug. */
  readonly project: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly leases: PostgresLeaseStore;
  /** The writer in every log written here. */
  readonly writer: WriterIdentity;
}

const repeatable = { isRepeatable: true } as const;
const listed = "where project = $1 and strpos(session, '/') = 0";

/** Logs as rows, one a line, each with the bytes and the place it would have in a file. */
export function createPostgresLogStore(options: PostgresLogStoreOptions): LogStore {
  const { database, project } = options;
  const { schema } = database;

  return {
    async create(first, request = {}) {
      const name = sessionFileName(first.session.id);
      return name.ok ? startLog(options, first, request) : name;
    },

    open: (session, visit, request = {}) => openLog(options, session, visit, request),

    async scan(session, visit, request = {}) {
      const log = await findLog(options, session);
      if (!log.ok) return log;
      const judge = await readLog(database, log.value, visit, request);
      return judge.ok ? ok(judge.value.report()) : judge;
    },

    async read(session, location) {
      const log = await findLog(options, session);
      return log.ok ? readEntryAt(database, log.value, session, location) : log;
    },

    async list() {
      const found = await database.query<{
        session: string;
        bytes: number;
        modified_at: Date;
        listing: Buffer;
        damaged_lines: number;
      }>(
        `select session, bytes, modified_at, listing, damaged_lines from ${schema}.log ${listed}`,
        [project],
        repeatable,
      );
      if (!found.ok) return found;
      const listings = found.value.rows.map(
        ({ session, bytes, modified_at, listing, damaged_lines }): LogListing => ({
          session,
          bytes,
          modifiedAt: modified_at.toISOString(),
          ...toLogListing(listing, damaged_lines),
        }),
      );
      return ok(listings.sort(newestFirst));
    },

    async sizes() {
      const found = await database.query<{ session: string; bytes: number; modified_at: Date }>(
        `select session, bytes, modified_at from ${schema}.log ${listed}`,
        [project],
        repeatable,
      );
      if (!found.ok) return found;
      return ok(
        found.value.rows.map(({ session, bytes, modified_at }) => ({
          session,
          bytes,
          modifiedAt: modified_at.toISOString(),
        })),
      );
    },

    remove: (session, why) => removeSession(options, session, why),
  };
}

function newestFirst(a: LogListing, b: LogListing): number {
  if (a.modifiedAt === b.modifiedAt) return a.session < b.session ? -1 : 1;
  return a.modifiedAt < b.modifiedAt ? 1 : -1;
}

interface RemoveSessionOptions extends ProjectRows {
  readonly clock: Clock;
  readonly leases: LeaseStore;
}

/** Every table with rows that belong to one session alone, besides those of its log. */
const tablesOfSession = ["aside", "redaction", "blob_name", "blob_chunk", "blob", "notes_copy"] as const;

/** The session and the forks inside it; `/` comes right before `0`. */
const sessionRange = (column: string) =>
  `(${column} = $2 or (${column} > $2 || '/' and ${column} < $2 || '0'))`;

/** Removes a log and all that belongs to it alone, in one transaction. Whoever writes to a fork in it keeps it. */
async function removeSession(
  options: RemoveSessionOptions,
  session: string,
  why: string,
): Promise<Result<void>> {
  const present = await findLog(options, session);
  if (!present.ok) return present;
  const lease = await options.leases.acquire(session);
  if (!lease.ok) return lease;
  const free = await refuseOpenForks(options, session);
  const removed = free.ok ? await removeWithTombstone(options, session, why, lease.value) : free;
  await lease.value.release();
  return removed;
}

async function refuseOpenForks(options: RemoveSessionOptions, session: string): Promise<Result<void>> {
  const forks = await forksOf(options, session);
  if (!forks.ok) return forks;
  for (const fork of forks.value) {
    const lease = await options.leases.acquire(fork);
    if (!lease.ok) return lease;
    await lease.value.release();
  }
  return ok();
}

function removeWithTombstone(
  options: RemoveSessionOptions,
  session: string,
  why: string,
  lease: Lease,
): Promise<Result<void>> {
  const { database, project, clock } = options;
  const { schema } = database;
  const at = new Date(clock.now()).toISOString();
  return database.transaction(
    async (run) => {
      const mine = await checkLeases(run, options, session, lease, at);
      if (!mine.ok) return mine;
      if (mine.value === "done") return ok();
      const key = [project, session];
      await run(
        `insert into ${schema}.tombstone (project, session, at, why) values ($1, $2, $3, $4)
         on conflict (project, session) do update set at = $3, why = $4`,
        [...key, at, Buffer.from(why)],
      );
      await run(
        `with log as (delete from ${schema}.log where project = $1 and ${sessionRange("session")} returning id)
         delete from ${schema}.entry using log where log_id = log.id`,
        key,
      );
      for (const table of tablesOfSession)
        await run(`delete from ${schema}.${table} where project = $1 and ${sessionRange("session")}`, key);
      await run(
        `delete from ${schema}.tombstone where project = $1 and session <> $2 and ${sessionRange("session")}`,
        key,
      );
      await run(`delete from ${schema}.lease where project = $1 and ${sessionRange("name")}`, key);
      return ok();
    },
    { isRepeatable: true },
  );
}

/** Locks the leases of the session and its forks. `done`: this very removal was made before, and its answer lost. */
async function checkLeases(
  run: Run,
  { database, project }: ProjectRows,
  session: string,
  lease: Lease,
  at: string,
): Promise<Result<"free" | "done">> {
  const { rows } = await run<{ name: string; token: string | null }>(
    `select name, token from ${database.schema}.lease where project = $1 and ${sessionRange("name")}
     order by name for update`,
    [project, session],
  );
  const foreign = rows.find(({ name, token }) => name !== session && token !== null);
  if (foreign) return openedMeanwhile(foreign.name);
  if (rows.some(({ token }) => token === lease.token)) return ok("free");
  const { count } = await run(
    `select 1 from ${database.schema}.tombstone where project = $1 and session = $2 and at = $3`,
    [project, session, at],
  );
  return count > 0 ? ok("done") : openedMeanwhile(session);
}

function openedMeanwhile(session: string): Result<never> {
  return fail("held", `Session ${session} was opened while it was to be removed.`, {
    path: session,
    fix: "Close it, and remove it again.",
    retryable: true,
  });
}
