import {
  type LeaseStore,
  type LogListing,
  ok,
  type Processes,
  type Result,
  type SessionHolder,
  type StoreSessions,
} from "../../spec/index.ts";
import { sessionFileName } from "../files/layout.ts";
import { judgeHolder } from "../files/leases/holder-judgement.ts";
import { leasePatienceMs } from "../files/leases/lease-store.ts";
import { toLogListing } from "./log/listing-state.ts";
import { logLines } from "./log/log-lines.ts";
import { forksOf } from "./upkeep/forks-of.ts";
import { sessionFootprint } from "./upkeep/session-footprint.ts";
import { absentSession, type ProjectRows, readTombstone } from "./upkeep/tombstone.ts";

export interface PostgresSessionsOptions extends ProjectRows {
  readonly processes: Processes;
  readonly leases: LeaseStore;
}

interface DescribedRow {
  readonly id: number;
  readonly bytes: number;
  readonly modified_at: Date;
  readonly listing: Buffer;
  readonly damaged_lines: number;
}

const repeatable = { isRepeatable: true } as const;

export function createPostgresSessions(options: PostgresSessionsOptions): StoreSessions {
  const { database, project, processes, leases } = options;
  const { schema } = database;

  async function find(session: string): Promise<Result<DescribedRow>> {
    const name = sessionFileName(session);
    if (!name.ok) return name;
    const found = await database.query<DescribedRow>(
      `select id, bytes, modified_at, listing, damaged_lines from ${schema}.log
       where project = $1 and session = $2`,
      [project, session],
      repeatable,
    );
    if (!found.ok) return found;
    const [row] = found.value.rows;
    return row ? ok(row) : absentSession(options, session);
  }

  /** By the server's clock, which has set the heartbeat too. */
  async function isRecent(session: string): Promise<Result<boolean>> {
    const found = await database.query(
      `select from ${schema}.lease where project = $1 and name = $2
         and heartbeat_at > clock_timestamp() - $3::float8 * interval '1 millisecond'`,
      [project, session, leasePatienceMs],
      repeatable,
    );
    return found.ok ? ok(found.value.count > 0) : found;
  }

  return {
    lines: (session, signal) => logLines(options, session, signal),
    async ids(prefix = "") {
      if (prefix.includes("\0")) return ok([]);
      const found = await database.query<{ session: string }>(
        `select session from ${schema}.log
         where project = $1 and strpos(session, '/') = 0 and starts_with(session, $2) order by session`,
        [project, prefix],
        repeatable,
      );
      return found.ok ? ok(found.value.rows.map(({ session }) => session)) : found;
    },
    agentsOf: async (session) => (session.includes("/") ? ok([]) : forksOf(options, session)),
    async listing(session): Promise<LogListing> {
      const found = await find(session);
      if (!found.ok)
        return { session, bytes: 0, modifiedAt: new Date(0).toISOString(), problem: found.error.message };
      const { bytes, modified_at, listing, damaged_lines } = found.value;
      return {
        session,
        bytes,
        modifiedAt: modified_at.toISOString(),
        ...toLogListing(listing, damaged_lines),
      };
    },
    async stamp(session) {
      const found = await find(session);
      if (!found.ok) return found;
      const { id, bytes, modified_at } = found.value;
      return ok({ identity: String(id), end: bytes, bytes, modifiedAt: modified_at.toISOString() });
    },
    tombstone: (session) => readTombstone(options, session),
    footprint: (session) => sessionFootprint(options, session),
    async holder(session): Promise<Result<SessionHolder | null>> {
      const held = await leases.holder(session);
      if (!held.ok || held.value === null) return held.ok ? ok(null) : held;
      const recent = await isRecent(session);
      if (!recent.ok) return recent;
      const state = await judgeHolder(held.value, await processes.self(), processes.look);
      return ok({ holder: held.value, state, isRecent: recent.value });
    },
    address: (session) => `${database.address}, session ${session}`,
  };
}
