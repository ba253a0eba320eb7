import type { JobHelpers } from "graphile-worker";
import {
  fail,
  ok,
  type Result,
  type WorkDone,
  type WorkHandler,
  type WorkOrder,
} from "../../../spec/index.ts";
import type { Database } from "../database.ts";
import { addSql, orderValues } from "./background-work.ts";
import { commitOnce, type WorkerEvent, workSchemaOf } from "./work-schema.ts";

export interface RunningOrder {
  readonly stopping: AbortController;
  isStopped: boolean;
  stop(): void;
}

export interface WorkerContext {
  readonly database: Database;
  /** The jobs that run here, by id. */
  readonly running: Map<string, RunningOrder>;
  /** Aborts when the worker ends and its patience with what runs is over. */
  readonly ending: AbortSignal;
  readonly onEvent: (event: WorkerEvent) => void;
}

/** Not at once: a worker that ends would take it again. */
const putBackAfterAbortMs = 2_000;

/** Does one job. Throws where it is to be tried again; what is stopped or put back counts as done for the queue. */
export async function doOrder(
  context: WorkerContext,
  handler: WorkHandler,
  order: WorkOrder,
  { job: { id, attempts: attempt } }: JobHelpers,
): Promise<void> {
  const { database, running, ending, onEvent } = context;
  const one = createRunning();
  running.set(id, one);
  try {
    onEvent({ type: "work-start", id, order, attempt });
    const isStopped = await wasStopped(database, id);
    const signal = AbortSignal.any([one.stopping.signal, ending]);
    const done =
      isStopped || ending.aborted ? aborting() : await runHandler(handler, order, { signal, attempt });
    const outcome = await recordOutcome(context, { id, order, done, isStopped: isStopped || one.isStopped });
    onEvent({ type: "work-end", id, order, ...outcome });
    if (outcome.outcome === "failed") throw new Error(outcome.message);
  } finally {
    running.delete(id);
  }
}

interface EndedOrder {
  readonly id: string;
  readonly order: WorkOrder;
  readonly done: Result<WorkDone>;
  readonly isStopped: boolean;
}

type OrderOutcome = Pick<Extract<WorkerEvent, { readonly type: "work-end" }>, "outcome" | "message">;

async function recordOutcome({ database, ending }: WorkerContext, ended: EndedOrder): Promise<OrderOutcome> {
  const { id, order, done, isStopped } = ended;
  if (isStopped) {
    const sql = `delete from ${database.schema}.work_stop where job = $1`;
    await database.query(sql, [id], { isRepeatable: true });
    return done.ok
      ? { outcome: "done", message: done.value.message }
      : { outcome: "stopped", message: "Stopped by hand." };
  }
  if (done.ok && done.value.againAfterMs === undefined)
    return { outcome: "done", message: done.value.message };
  const isEnding = !done.ok && ending.aborted;
  if (!done.ok && !isEnding) return { outcome: "failed", message: done.error.message };
  const afterMs = done.ok ? (done.value.againAfterMs ?? 0) : putBackAfterAbortMs;
  const put = await putBack(database, { id, order, afterMs });
  if (!put.ok) return { outcome: "failed", message: put.error.message };
  return { outcome: "again", message: done.ok ? done.value.message : "The worker ends: it is put back." };
}

interface PutBack {
  readonly id: string;
  readonly order: WorkOrder;
  readonly afterMs: number;
}

/** Queues the order again. One that came meanwhile has taken its place: that one stands, and when it is to be done. */
function putBack(database: Database, { id, order, afterMs }: PutBack): Promise<Result<void>> {
  const queue = `"${workSchemaOf(database)}"`;
  return commitOnce(database, async (run) => {
    const own = await run(`select 1 from ${queue}.jobs where id = $1 and key is not null`, [id]);
    if (own.count > 0) await run(addSql(queue, "preserve_run_at"), orderValues(order, afterMs));
    return ok();
  });
}

async function wasStopped(database: Database, id: string): Promise<boolean> {
  const sql = `select 1 from ${database.schema}.work_stop where job = $1`;
  const found = await database.query(sql, [id], { isRepeatable: true });
  return found.ok && found.value.count > 0;
}

const aborting = (): Result<WorkDone> => fail("aborted", "It was stopped before it began.");

async function runHandler(...[handler, order, context]: [WorkHandler, ...Parameters<WorkHandler>]) {
  try {
    return await handler(order, context);
  } catch (cause) {
    return fail("crashed", cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function createRunning(): RunningOrder {
  const stopping = new AbortController();
  return {
    stopping,
    isStopped: false,
    stop() {
      this.isStopped = true;
      stopping.abort();
    },
  };
}
