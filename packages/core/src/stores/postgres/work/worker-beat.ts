import type { Clock, ProcessIdentity } from "../../../spec/index.ts";
import type { Database } from "../database.ts";
import { workerPatienceMs } from "./background-work.ts";
import { workSchemaOf } from "./work-schema.ts";

export interface WorkerBeatOptions {
  readonly database: Database;
  readonly clock: Clock;
  /** The worker's id in the queue. */
  readonly worker: string;
  readonly process: ProcessIdentity;
  readonly kinds: readonly string[];
  readonly beatMs?: number;
  readonly patienceMs?: number;
  /** The jobs that run here, by id. */
  readonly running: ReadonlyMap<string, { stop(): void }>;
}

const again = { isRepeatable: true } as const;
/** How long the end of a worker tries to say so. Where the server is away, others find out by its silence. */
const farewellMs = 2_000;

/**
 * Says that this worker lives, hears which of its jobs somebody stops, and gives back what dead workers had begun. What
 * goes wrong is tried again at the next beat. `end` takes the worker off the list, and frees what it still had.
 */
export function startWorkerBeat(options: WorkerBeatOptions): { end(): Promise<void> } {
  const { database, clock, worker, kinds, running, beatMs = 1_000, patienceMs = workerPatienceMs } = options;
  const { schema } = database;
  const queue = `"${workSchemaOf(database)}"`;
  const ending = new AbortController();

  async function sayAlive(): Promise<void> {
    const { host, pid } = options.process;
    await database.query(
      `insert into ${schema}.work_process (id, host, pid, kinds) values ($1, $2, $3, $4)
       on conflict (id) do update set seen_at = clock_timestamp()`,
      [worker, host, pid, kinds],
      again,
    );
  }

  async function hearStops(): Promise<void> {
    if (running.size === 0) return;
    const found = await database.query<{ readonly job: number }>(
      `select job from ${schema}.work_stop where job = any($1::bigint[])`,
      [[...running.keys()]],
      again,
    );
    if (found.ok) for (const { job } of found.value.rows) running.get(String(job))?.stop();
  }

  /**
   * The rows of the dead go with what they had locked; who has locked something and has no row died before its first
   * beat. What a later order has taken the place of goes too.
   */
  async function freeDead(): Promise<void> {
    await database.query(
      `with limits as (select clock_timestamp() - $1 * interval '1 millisecond' as before),
       gone as (
         delete from ${schema}.work_process using limits where seen_at < before and id <> $2 returning id
       ),
       dead as (
         select id from gone union
         select locked_by from ${queue}.jobs, limits where locked_at < before and locked_by <> $2
           and locked_by not in (select id from ${schema}.work_process)
       ),
       unheard as (delete from ${schema}.work_stop where at < clock_timestamp() - interval '1 day')
       select ${queue}.force_unlock_workers(array(select id from dead)), (
         select count(*) from ${queue}.complete_jobs(array(
           select id from ${queue}.jobs where key is null and locked_at is null)))`,
      [patienceMs, worker],
      again,
    );
  }

  async function beat(): Promise<void> {
    while (!ending.signal.aborted) {
      await sayAlive();
      await Promise.all([hearStops(), freeDead()]);
      await clock.sleep(beatMs, ending.signal);
    }
  }

  const beating = beat();
  return {
    async end() {
      ending.abort();
      const patience = new AbortController();
      const isOver = clock.sleep(farewellMs, patience.signal).then(() => patience.abort());
      await Promise.race([beating, isOver]);
      await database.query(
        `with gone as (delete from ${schema}.work_process where id = $1)
         select ${queue}.force_unlock_workers(array[$1::text])`,
        [worker],
        { ...again, signal: patience.signal },
      );
      patience.abort();
    },
  };
}
