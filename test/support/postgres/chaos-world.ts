import { Logger, runMigrations, runOnce } from "graphile-worker";
import { createRuntime } from "../../../packages/core/src/runtime.ts";
import { type Database, openDatabase } from "../../../packages/core/src/stores/postgres/database.ts";
import { createPostgresMailbox } from "../../../packages/core/src/stores/postgres/mailbox/mailbox.ts";
import { migrate } from "../../../packages/core/src/stores/postgres/migrate.ts";
import { must } from "../../../packages/testing/src/conformance/outcomes.ts";
import { startPostgres } from "../../../scripts/postgres/start-postgres.mjs";
import { type CuttingProxy, startCuttingProxy } from "./cutting-proxy.ts";
import type { ChaosHistory, ChaosRecord } from "./find-chaos-problems.ts";

const schema = "chaos";
const jobSchema = "chaos_jobs";
const project = "chaos-00000000";
const logger = new Logger(() => () => undefined);
const matter = "matter";

/** A server that fails, the proxy that workers reach it by, and what is found on it in the end. */
export interface ChaosWorld {
  readonly proxy: CuttingProxy;
  readonly server: Awaited<ReturnType<typeof startPostgres>>;
  /** What each worker is told about it. */
  readonly places: { readonly schema: string; readonly jobSchema: string; readonly project: string };
  /** As if so many of the holders of leases, from 0 to 1, had not been heard of for long; gives how many. */
  ageLeases(share: number): Promise<number>;
  /** Takes the mail that is left and does the jobs that are left, while no worker lives; gives what it was told. */
  drain(hosts: readonly string[]): Promise<readonly ChaosRecord[]>;
  stored(): Promise<Omit<ChaosHistory, "records">>;
  stop(): Promise<void>;
}

export async function startChaosWorld(): Promise<ChaosWorld> {
  const { clock, ids, processes } = createRuntime();
  const server = await startPostgres({ settings: { deadlock_timeout: "50ms" } });
  const proxy = await startCuttingProxy(server.url);

  /** Past the proxy. */
  async function withDatabase<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const database = must(await openDatabase({ url: server.url, clock, schema, patienceMs: 10_000 }));
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  }

  await withDatabase(async (database) => {
    must(await migrate(database));
    must(await database.query(`create table ${schema}.effect (job text primary key, runs int not null)`));
  });
  await runMigrations({ connectionString: server.url, schema: jobSchema, logger });

  async function takeRest(database: Database, hosts: readonly string[]): Promise<readonly ChaosRecord[]> {
    const records: ChaosRecord[] = [];
    const now = () => String(process.hrtime.bigint());
    must(await database.query(`update ${schema}.mail_reader set heartbeat = heartbeat - interval '1 hour'`));
    const self = async () => ({ ...(await processes.self()), host: "last" });
    const mailbox = createPostgresMailbox({
      ...{ database, project, clock, ids },
      processes: { ...processes, self },
    });
    for (const to of hosts)
      for (;;) {
        const askedAt = now();
        const mails = must(await mailbox.take(to, 500));
        if (mails.length === 0) break;
        const takenAt = now();
        records.push(
          ...mails.map(({ id, from }) => ({ kind: "taken", id, from, to, askedAt, takenAt }) as const),
        );
        const taken = mails.map(({ id }) => id);
        must(await mailbox.acknowledge(to, taken));
        records.push({ kind: "received", to, ids: taken, at: now() });
      }
    return records;
  }

  async function doRest(database: Database): Promise<void> {
    // Whoever has locked them is dead.
    must(await database.query(`update ${jobSchema}._private_jobs set locked_at = null, locked_by = null`));
    must(await database.query(`update ${jobSchema}._private_jobs set run_at = now() - interval '1 second'`));
    await runOnce({
      ...{ connectionString: server.url, schema: jobSchema, logger, noHandleSignals: true },
      taskList: {
        async [matter](payload) {
          const { job } = payload as { readonly job: string };
          must(
            await database.query(
              `insert into ${schema}.effect as e (job, runs) values ($1, 1)
               on conflict (job) do update set runs = e.runs + 1`,
              [job],
            ),
          );
        },
      },
    });
  }

  return {
    proxy,
    server,
    places: { schema, jobSchema, project },
    ageLeases: (share) =>
      withDatabase(async (database) => {
        const aged = await database.query(
          `update ${schema}.lease set heartbeat_at = clock_timestamp() - interval '1 hour'
           where token is not null and random() < $1`,
          [share],
        );
        return aged.ok ? aged.value.count : 0;
      }),
    drain: (hosts) =>
      withDatabase(async (database) => {
        await doRest(database);
        return takeRest(database, hosts);
      }),
    stored: () => withDatabase(readStored),
    async stop() {
      await proxy.close();
      await server.stop();
    },
  };
}

async function readStored(database: Database): Promise<Omit<ChaosHistory, "records">> {
  const rowsOf = async <Row extends object>(text: string) => must(await database.query<Row>(text)).rows;
  const logs = await rowsOf<{ id: number; session: string; last_seq: number; bytes: number }>(
    `select id, session, last_seq, bytes from ${schema}.log order by session`,
  );
  const entries = await rowsOf<{ log_id: number; place: number; line: Buffer }>(
    `select log_id, place, line from ${schema}.entry order by log_id, place`,
  );
  const linesOf = new Map<number, { place: number; line: string }[]>(logs.map(({ id }) => [id, []]));
  for (const { log_id, place, line } of entries)
    linesOf.get(log_id)?.push({ place, line: line.toString("utf8") });
  const versions = await rowsOf<{ path: Buffer; version: number; content: Buffer }>(
    `select path, version, content from ${schema}.tree_version order by path, version`,
  );
  const effects = await rowsOf<{ job: string }>(`select job from ${schema}.effect`);
  const left = await rowsOf<{ count: number }>(`select count(*) as count from ${jobSchema}._private_jobs`);
  return {
    logs: logs.map(({ id, session, last_seq, bytes }) => ({
      ...{ session, lastSeq: last_seq, bytes },
      entries: linesOf.get(id) ?? [],
    })),
    versions: versions.map(({ path, version, content }) => ({
      ...{ path: path.toString("utf8"), version, mark: content.toString("utf8") },
    })),
    effects: effects.map(({ job }) => job),
    jobsLeft: left[0]?.count ?? 0,
  };
}
