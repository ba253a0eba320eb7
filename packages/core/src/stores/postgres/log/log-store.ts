import {
  type Clock,
  type Ids,
  type LogListing,
  type LogStore,
  ok,
  type WriterIdentity,
} from "../../../spec/index.ts";
import { sessionFileName } from "../../files/layout.ts";
import type { Database } from "../database.ts";
import type { PostgresLeaseStore } from "../leases/lease-store.ts";
import { toLogListing } from "./listing-state.ts";
import { findLog } from "./log-row.ts";
import { openLog, startLog } from "./open-writer.ts";
import { readEntryAt, readLog } from "./read-log.ts";
import { removeSession } from "./remove-session.ts";

export interface PostgresLogStoreOptions {
  readonly database: Database;
  /** The project's slug. */
  readonly project: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly leases: PostgresLeaseStore;
  /** What every log written here says about its writer. */
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

    async read(session, place) {
      const log = await findLog(options, session);
      return log.ok ? readEntryAt(database, log.value, session, place) : log;
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
