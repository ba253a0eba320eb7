import {
  type Clock,
  type ConsolidateLock,
  type Consolidation,
  type ConsolidationHolder,
  fail,
  type Ids,
  ok,
  type Processes,
  type Result,
} from "../../../spec/index.ts";
import { judgeLock, restoreLock } from "../../shared/consolidate-lock.ts";
import type { Database } from "../database.ts";

export interface PostgresConsolidateLockOptions {
  readonly database: Database;
  readonly project: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
}

/** Rounds lost to other processes before giving up: each one means that somebody else won. */
const maxRounds = 50;

/** How many former holders are remembered, so that one whose answer was lost learns that it gave the lock back. */
const rememberedHolders = 8;

/**
 * One row a project. Who holds it is judged by its process where that can be seen from here, else by how long the
 * server has seen it hold the lock. The time of the last consolidation changes only when a holder succeeds.
 */
export function createPostgresConsolidateLock(options: PostgresConsolidateLockOptions): ConsolidateLock {
  const { database, project, clock, ids, processes } = options;
  const { schema } = database;
  const path = `${database.address}#${project}/consolidate-lock`;

  /** Takes it if `seen` still has it; `null`: it has moved. A holder that takes it twice has it once. */
  async function claim(
    holder: ConsolidationHolder,
    seen: string | null,
  ): Promise<Result<Consolidation | null>> {
    const taken = await database.query<{ last_ms: number | null }>(
      `insert into ${schema}.consolidate_lock as l (project, token, holder, since)
       values ($1, $2, $3, clock_timestamp())
       on conflict (project) do update
         set token = excluded.token, holder = excluded.holder, since = excluded.since
         where l.token is not distinct from $4::text or l.token = excluded.token
       returning l.last_ms`,
      [project, holder.token, Buffer.from(JSON.stringify(holder)), seen],
      { isRepeatable: true },
    );
    if (!taken.ok) return taken;
    const [row] = taken.value.rows;
    return ok(row ? createConsolidation(holder.token, row.last_ms) : null);
  }

  async function judge({ holder, heldForMs }: LockRow): Promise<Result<void>> {
    if (holder === null) return ok();
    const now = () => holder.sinceMs + heldForMs;
    return (await judgeLock(path, holder, { clock: { ...clock, now }, processes })) ?? ok();
  }

  async function acquire(): Promise<Result<Consolidation>> {
    const holder = { ...(await processes.self()), token: ids.next("dreamer"), sinceMs: clock.now() };
    let seen: string | null = null;
    for (let round = 0; round < maxRounds; round += 1) {
      const claimed = await claim(holder, seen);
      if (!claimed.ok || claimed.value !== null) return claimed as Result<Consolidation>;
      const row = await readLockRow(database, project);
      if (!row.ok) return row;
      const judged = await judge(row.value);
      if (!judged.ok) return judged;
      seen = row.value.holder?.token ?? null;
    }
    return fail("held", "Others keep taking the lock of the memory folder.", { path, retryable: true });
  }

  function createConsolidation(token: string, previousMs: number | null): Consolidation {
    let isOver = false;

    /** Holder and time change together. */
    async function end(lastMs: number | null): Promise<Result<void>> {
      if (isOver) return ok();
      const given = await database.query(
        `update ${schema}.consolidate_lock
         set token = null, holder = null, since = null, last_ms = $3::bigint,
           ended = (array[token] || ended)[1:${rememberedHolders}]
         where project = $1 and token = $2`,
        [project, token, lastMs],
        { isRepeatable: true },
      );
      if (!given.ok) return given;
      const row = given.value.count === 0 ? await readLockRow(database, project) : null;
      if (row && !row.ok) return row;
      isOver = row === null || row.value.ended.includes(token);
      if (isOver) return ok();
      return fail("fenced", "Another process has taken the lock of the memory folder.", {
        path,
        fix: "Nothing to do: it puts memory in order now.",
      });
    }

    return {
      previousMs,
      complete: () => end(clock.now()),
      abandon: () => end(previousMs),
    };
  }

  return {
    async lastConsolidatedMs() {
      const found = await database.query<{ last_ms: number | null }>(
        `select last_ms from ${schema}.consolidate_lock where project = $1`,
        [project],
        { isRepeatable: true },
      );
      return found.ok ? ok(found.value.rows[0]?.last_ms ?? null) : found;
    },
    acquire,
    restore: () => restoreLock(() => readLockRow(database, project), acquire),
  };
}

/** The lock of one project as its row says. */
interface LockRow {
  /** `null`: nobody has it. */
  readonly holder: ConsolidationHolder | null;
  /** By the server's clock. */
  readonly heldForMs: number;
  /** Tokens of the last holders that gave it back. */
  readonly ended: readonly string[];
}

const noRow: LockRow = { holder: null, heldForMs: 0, ended: [] };

interface Found {
  readonly holder: Buffer | null;
  readonly held_for_ms: number | null;
  readonly ended: readonly string[];
}

async function readLockRow({ schema, query }: Database, project: string): Promise<Result<LockRow>> {
  const found = await query<Found>(
    `select holder, ended,
       (extract(epoch from clock_timestamp() - since) * 1000)::float8 as held_for_ms
     from ${schema}.consolidate_lock where project = $1`,
    [project],
    { isRepeatable: true },
  );
  if (!found.ok) return found;
  const [row] = found.value.rows;
  if (row === undefined) return ok(noRow);
  const holder = row.holder && (JSON.parse(row.holder.toString("utf8")) as ConsolidationHolder);
  return ok({ holder, heldForMs: row.held_for_ms ?? 0, ended: row.ended });
}
