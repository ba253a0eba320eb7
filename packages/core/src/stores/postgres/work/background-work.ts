import { createHash } from "node:crypto";
import {
  type BackgroundWork,
  fail,
  ok,
  type Result,
  type WorkItem,
  type WorkOrder,
} from "../../../spec/index.ts";
import { checkOrder, parseQueue, workAttempts, workKey, workQueue } from "../../../view/work-order.ts";
import { commitOnce, hasWorkSchema, makeWorkSchema, type WorkLocation, workSchemaOf } from "./work-schema.ts";

interface JobRow {
  readonly id: number;
  readonly key: string | null;
  readonly task_identifier: string;
  readonly queue_name: string | null;
  readonly attempts: number;
  readonly max_attempts: number;
  readonly last_error: string | null;
  readonly created_at: Date;
  readonly run_at: Date;
  readonly locked_by: string | null;
}

const again = { isRepeatable: true } as const;
/** Without a key and not begun, or given up: a later order has taken its place. Workers sweep such rows away. */
const isPresent = "(key is not null or locked_at is not null)";
/** A name of a queue has at most so many characters. */
const maxQueueChars = 128;
/** A worker that was not seen for so long is taken for dead. */
export const workerPatienceMs = 60_000;

/** The work of all machines on one database. Done by `palimpsest worker`. */
export function createPostgresBackgroundWork(location: WorkLocation): BackgroundWork {
  const { database } = location;
  const { schema } = database;
  const queue = `"${workSchemaOf(database)}"`;
  let isMade = false;

  async function ready(): Promise<Result<void>> {
    if (isMade) return ok();
    const found = await hasWorkSchema(database);
    if (!found.ok) return found;
    const made = found.value ? ok() : await makeWorkSchema(location);
    isMade = made.ok;
    return made;
  }

  const columns =
    "id, key, task_identifier, queue_name, attempts, max_attempts, last_error, created_at, run_at, locked_by";

  return {
    async enqueue(order) {
      const checked = checkOrder(order);
      if (!checked.ok) return checked;
      const prepared = await ready();
      if (!prepared.ok) return prepared;
      return commitOnce(database, async (run) => {
        const [row] = (await run<JobRow>(addSql(queue), orderValues(order, 0))).rows;
        return row ? ok(toItem(row)) : fail("io", "The queue has not taken the work.", { retryable: true });
      });
    },
    async list() {
      const found = await hasWorkSchema(database);
      if (!found.ok || !found.value) return found.ok ? ok([]) : found;
      const jobs = await database.query<JobRow>(
        `select ${columns} from ${queue}.jobs where ${isPresent}
         order by locked_at nulls last, attempts >= max_attempts, run_at, id`,
        [],
        again,
      );
      return jobs.ok ? ok(jobs.value.rows.map(toItem)) : jobs;
    },
    async stop(idOrKey) {
      const absent = () =>
        fail("not-found", `There is no work “${idOrKey}”.`, {
          fix: "“palimpsest worker --list” shows what there is.",
        });
      if (idOrKey.includes("\0")) return absent();
      const present = await hasWorkSchema(database);
      if (!present.ok || !present.value) return present.ok ? absent() : present;
      return commitOnce(database, async (run) => {
        const removed = await run(
          `select id from ${queue}.complete_jobs(array(
             select id from ${queue}.jobs where (key = $1 or id::text = $1) and ${isPresent}))`,
          [idOrKey],
        );
        if (removed.count > 0) return ok("removed");
        const told = await run(
          `insert into ${schema}.work_stop (job)
           select id from ${queue}.jobs where (key = $1 or id::text = $1) and locked_at is not null
           on conflict (job) do update set at = now()`,
          [idOrKey],
        );
        return told.count > 0 ? ok("stopping") : absent();
      });
    },
    async workers(kind) {
      const found = await database.query<{ readonly count: number }>(
        `select count(*) as count from ${schema}.work_process
         where $1 = any(kinds) and seen_at > clock_timestamp() - $2 * interval '1 millisecond'`,
        [kind, workerPatienceMs],
        again,
      );
      return found.ok ? ok(found.value.rows[0]?.count ?? 0) : found;
    },
  };
}

/** The order takes the place of one with its key; one that runs goes on without a key, and is not tried again. */
export const addSql = (queue: string, mode: "replace" | "preserve_run_at" = "replace") => `
  select j.id, j.key, $1::text as task_identifier, $3::text as queue_name, j.attempts, j.max_attempts,
    j.last_error, j.created_at, j.run_at, j.locked_by
  from ${queue}.add_job(
    identifier => $1::text, payload => $2::json, queue_name => $3::text,
    run_at => now() + $4 * interval '1 millisecond',
    max_attempts => $5::int, job_key => $6::text, job_key_mode => '${mode}') as j`;

export function orderValues(order: WorkOrder, afterMs: number): readonly unknown[] {
  return [order.kind, JSON.stringify(order), queueName(order), afterMs, workAttempts, workKey(order)];
}

/** A name that is too long keeps its beginning, and is told from others by a hash. */
function queueName(order: WorkOrder): string {
  const name = workQueue(order);
  if (name.length <= maxQueueChars) return name;
  const hash = createHash("sha256").update(name).digest("hex").slice(0, 32);
  return `${name.slice(0, maxQueueChars - hash.length - 1)}.${hash}`;
}

function toItem(row: JobRow): WorkItem {
  const { id, key, task_identifier: kind, attempts, max_attempts: maxAttempts } = row;
  const name = key === null ? (row.queue_name ?? "") : key.slice(0, -(kind.length + 1));
  const isRunning = row.locked_by !== null;
  return {
    id: String(id),
    ...(key !== null && { key }),
    kind,
    ...parseQueue(name),
    state: isRunning ? "running" : attempts >= maxAttempts ? "failed" : "waiting",
    attempts,
    maxAttempts,
    queuedAt: row.created_at.toISOString(),
    runAt: row.run_at.toISOString(),
    ...(row.locked_by !== null && { worker: row.locked_by }),
    ...(row.last_error !== null && { lastError: row.last_error }),
  };
}
