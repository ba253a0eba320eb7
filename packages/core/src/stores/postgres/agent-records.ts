import {
  type AgentRegistration,
  type Clock,
  fail,
  type Ids,
  ok,
  type Processes,
  type ProcessIdentity,
  type Result,
} from "../../spec/index.ts";
import { heartbeatMs, judgeHolder, leasePatienceMs } from "../shared/leases.ts";
import type { Database } from "./database.ts";

/** An agent that other processes may write to. */
type PostgresAgentRecord = Pick<AgentRegistration, "id" | "name" | "socket">;

/** Who runs in a project, on any machine. */
interface PostgresAgentRecords {
  /** `exists` while a live process has the name. Gives how to give it back. */
  add(record: PostgresAgentRecord): Promise<Result<() => Promise<void>>>;
  /** Those that are not known to be gone, by name. The socket only of those on this machine. */
  list(): Promise<Result<readonly PostgresAgentRecord[]>>;
}

interface PostgresAgentRecordsOptions {
  readonly database: Database;
  readonly project: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly processes: Processes;
}

const maxRounds = 20;
/** Records of processes that died this long ago are removed. */
const forgottenMs = 24 * 60 * 60 * 1000;

interface RecordRow {
  readonly token: string;
  readonly record: Buffer;
  readonly identity: Buffer;
  /** By the server's clock. */
  readonly silent_ms: number;
}

/** One row a name, kept fresh by its process: on another machine one that gives no sign for a minute is gone. */
export function createPostgresAgentRecords(options: PostgresAgentRecordsOptions): PostgresAgentRecords {
  const { database, project, clock, ids, processes } = options;
  const { schema } = database;
  const repeatable = { isRepeatable: true };

  const find = (name: string | null) =>
    database.query<RecordRow>(
      `select token, record, identity,
         (extract(epoch from clock_timestamp() - heartbeat) * 1000)::float8 as silent_ms
       from ${schema}.agent_record where project = $1 and ($2::bytea is null or name = $2::bytea)`,
      [project, name === null ? null : Buffer.from(name)],
      repeatable,
    );

  async function isGone({ identity, silent_ms }: RecordRow): Promise<boolean> {
    const holder = JSON.parse(identity.toString("utf8")) as ProcessIdentity;
    const state = await judgeHolder(holder, await processes.self(), processes.look);
    return state === "dead" || (state === "unsure" && silent_ms > leasePatienceMs);
  }

  /** Whether the name is ours now: it was nobody's, or still that of `seen`. */
  async function claim(
    record: PostgresAgentRecord,
    token: string,
    seen: string | null,
  ): Promise<Result<boolean>> {
    const { id, name, socket } = record;
    const kept = JSON.stringify({ id, name, socket });
    const identity = JSON.stringify(await processes.self());
    const added = await database.query(
      `with forgotten as (
         delete from ${schema}.agent_record where project = $1 and name <> $2
           and heartbeat < clock_timestamp() - $7::float8 * interval '1 millisecond')
       insert into ${schema}.agent_record as r (project, name, token, record, identity, heartbeat)
       values ($1, $2, $3, $4, $5, clock_timestamp())
       on conflict (project, name) do update
         set token = excluded.token, record = excluded.record, identity = excluded.identity,
           heartbeat = excluded.heartbeat
         where r.token = excluded.token or r.token = $6::text`,
      [project, Buffer.from(name), token, Buffer.from(kept), Buffer.from(identity), seen, forgottenMs],
      repeatable,
    );
    return added.ok ? ok(added.value.count > 0) : added;
  }

  /** Until it is stopped, or another one has the name. */
  async function beat(name: string, token: string, signal: AbortSignal): Promise<void> {
    for (;;) {
      await clock.sleep(heartbeatMs, signal);
      if (signal.aborted) return;
      const beaten = await database.query(
        `update ${schema}.agent_record set heartbeat = clock_timestamp()
         where project = $1 and name = $2 and token = $3`,
        [project, Buffer.from(name), token],
        { ...repeatable, signal },
      );
      if (beaten.ok ? beaten.value.count === 0 : beaten.error.code === "closed") return;
    }
  }

  function hold(name: string, token: string): () => Promise<void> {
    const stopping = new AbortController();
    const beating = beat(name, token, stopping.signal);
    return async () => {
      stopping.abort();
      await beating;
      await database.query(
        `delete from ${schema}.agent_record where project = $1 and name = $2 and token = $3`,
        [project, Buffer.from(name), token],
        repeatable,
      );
    };
  }

  return {
    async add(record) {
      const token = ids.next("agent");
      let seen: string | null = null;
      for (let round = 0; round < maxRounds; round += 1) {
        const claimed = await claim(record, token, seen);
        if (!claimed.ok) return claimed;
        if (claimed.value) return ok(hold(record.name, token));
        const found = await find(record.name);
        if (!found.ok) return found;
        const [row] = found.value.rows;
        if (row && !(await isGone(row))) break;
        seen = row?.token ?? null;
      }
      return fail("exists", `An agent is called “${record.name}” already.`, {
        path: record.name,
        fix: "Give it another name.",
      });
    },
    async list() {
      const found = await find(null);
      if (!found.ok) return found;
      const { host } = await processes.self();
      const records: PostgresAgentRecord[] = [];
      for (const row of found.value.rows) {
        if (await isGone(row)) continue;
        const { socket, ...record } = JSON.parse(row.record.toString("utf8")) as PostgresAgentRecord;
        const isHere = (JSON.parse(row.identity.toString("utf8")) as ProcessIdentity).host === host;
        records.push({ ...record, ...(socket !== undefined && isHere && { socket }) });
      }
      return ok(records.toSorted((one, other) => (one.name < other.name ? -1 : 1)));
    },
  };
}
