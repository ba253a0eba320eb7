import { EventEmitter } from "node:events";
import type { JobHelpers, Task, WorkerEvents } from "graphile-worker";
import {
  type Clock,
  fail,
  ok,
  type Processes,
  type Result,
  type WorkDone,
  type WorkHandler,
  type WorkHandlers,
  type WorkKind,
  type WorkOrder,
} from "../../../spec/index.ts";
import { addSql, orderValues } from "./background-work.ts";
import { loadGraphileWorker } from "./load-graphile-worker.ts";
import { makeWorkSchema, silentLogger, type WorkPlace, workSchemaOf } from "./work-schema.ts";
import { startWorkerBeat } from "./worker-beat.ts";

/** What a worker does, for a person to read. */
export type WorkerEvent =
  | { readonly type: "work-start"; readonly id: string; readonly order: WorkOrder; readonly attempt: number }
  | {
      readonly type: "work-end";
      readonly id: string;
      readonly order: WorkOrder;
      /** `again`: it is put back, and nobody's fault. `failed`: it is tried again later, if there are attempts left. */
      readonly outcome: "done" | "again" | "stopped" | "failed";
      readonly message: string;
    };

export interface WorkerOptions extends WorkPlace {
  readonly handlers: WorkHandlers;
  readonly clock: Clock;
  readonly processes: Processes;
  /** Jobs at once. */
  readonly jobs?: number;
  /** Ends when nothing waits that may be done now. */
  readonly isOnce?: boolean;
  /** How often to look where nobody tells of new work, as behind a pooler. */
  readonly pollMs?: number;
  readonly beatMs?: number;
  readonly patienceMs?: number;
  /** How long what runs may go on once the worker is to end; then it is stopped and put back. */
  readonly graceMs?: number;
  readonly onEvent?: (event: WorkerEvent) => void;
}

interface Running {
  readonly stopping: AbortController;
  isStopped: boolean;
  stop(): void;
}

/** Not at once: a worker that ends would take it again. */
const putBackAfterAbortMs = 2_000;

/** Does work until the signal aborts, or with `isOnce` until none is left. */
export async function runPostgresWorker(options: WorkerOptions, signal: AbortSignal): Promise<Result<void>> {
  const { database, url, clock, processes, jobs = 1, isOnce = false, pollMs = 2_000 } = options;
  const loaded = await loadGraphileWorker();
  if (!loaded.ok) return loaded;
  const made = await makeWorkSchema(options);
  if (!made.ok) return made;
  if (signal.aborted) return ok();
  const running = new Map<string, Running>();
  const ending = new AbortController();
  const events: WorkerEvents = new EventEmitter();
  const self = await processes.self();
  let beat: ReturnType<typeof startWorkerBeat> | null = null;
  events.on("pool:create", ({ workerPool: { id: worker } }) => {
    const kinds = Object.keys(options.handlers);
    beat ??= startWorkerBeat({ ...options, worker, process: self, kinds, running });
  });
  const shared = {
    connectionString: url,
    schema: workSchemaOf(database),
    concurrency: jobs,
    maxPoolSize: jobs + 2,
    pollInterval: pollMs,
    noHandleSignals: true,
    noPreparedStatements: true,
    logger: silentLogger(loaded.value),
    events,
    // Without them the end of the worker does not wait until the queue knows what was done.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: tasksOf(options, running, ending.signal),
  };
  const onAbort = () => void clock.sleep(options.graceMs ?? 5_000, ending.signal).then(() => ending.abort());
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    if (isOnce) await loaded.value.runOnce(shared);
    else {
      const runner = await loaded.value.run(shared);
      await Promise.race([runner.promise, aborted(signal)]);
      await runner.stop();
      await runner.promise;
    }
    return ok();
  } catch (cause) {
    return fail("io", `The worker ended: ${cause instanceof Error ? cause.message : String(cause)}`, {
      fix: "See that the server runs and that DATABASE_URL leads to it, then start it again.",
      retryable: true,
      cause,
    });
  } finally {
    signal.removeEventListener("abort", onAbort);
    ending.abort();
    await (beat as ReturnType<typeof startWorkerBeat> | null)?.end();
  }
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}

function tasksOf(
  options: WorkerOptions,
  running: Map<string, Running>,
  ending: AbortSignal,
): Readonly<Record<string, Task>> {
  const known = Object.entries(options.handlers) as readonly (readonly [WorkKind, WorkHandler])[];
  return Object.fromEntries(
    known.map(([kind, handler]) => [
      kind,
      (payload: unknown, helpers: JobHelpers) =>
        work({ options, running, ending, handler }, payload as WorkOrder, helpers),
    ]),
  );
}

interface Scene {
  readonly options: WorkerOptions;
  readonly running: Map<string, Running>;
  readonly ending: AbortSignal;
  readonly handler: WorkHandler;
}

/** Throws where the job is to be tried again; what is stopped or put back counts as done for the queue. */
async function work(scene: Scene, order: WorkOrder, { job }: JobHelpers): Promise<void> {
  const { options, running, ending, handler } = scene;
  const { onEvent = () => {} } = options;
  const { id, attempts: attempt } = job;
  const one = createRunning();
  running.set(id, one);
  try {
    onEvent({ type: "work-start", id, order, attempt });
    const isStopped = await wasStopped(options, id);
    const signal = AbortSignal.any([one.stopping.signal, ending]);
    const done = isStopped || ending.aborted ? aborting() : await safely(handler, order, { signal, attempt });
    const outcome = await settle(scene, { id, order, done, isStopped: isStopped || one.isStopped });
    onEvent({ type: "work-end", id, order, ...outcome });
    if (outcome.outcome === "failed") throw new Error(outcome.message);
  } finally {
    running.delete(id);
  }
}

interface Ended {
  readonly id: string;
  readonly order: WorkOrder;
  readonly done: Result<WorkDone>;
  readonly isStopped: boolean;
}

type Outcome = Pick<Extract<WorkerEvent, { readonly type: "work-end" }>, "outcome" | "message">;

async function settle({ options, ending }: Scene, { id, order, done, isStopped }: Ended): Promise<Outcome> {
  const { database } = options;
  if (isStopped) {
    await database.query(`delete from ${database.schema}.work_stop where job = $1`, [id], {
      isRepeatable: true,
    });
    return done.ok
      ? { outcome: "done", message: done.value.message }
      : { outcome: "stopped", message: "Stopped by hand." };
  }
  if (done.ok && done.value.againAfterMs === undefined)
    return { outcome: "done", message: done.value.message };
  const isEnding = !done.ok && ending.aborted;
  if (!done.ok && !isEnding) return { outcome: "failed", message: done.error.message };
  const afterMs = done.ok ? (done.value.againAfterMs ?? 0) : putBackAfterAbortMs;
  const queue = `"${workSchemaOf(database)}"`;
  const put = await database.query(addSql(queue), orderValues(order, afterMs), { isRepeatable: true });
  if (!put.ok) return { outcome: "failed", message: put.error.message };
  return { outcome: "again", message: done.ok ? done.value.message : "The worker ends: it is put back." };
}

async function wasStopped({ database }: WorkerOptions, id: string): Promise<boolean> {
  const sql = `select 1 from ${database.schema}.work_stop where job = $1`;
  const found = await database.query(sql, [id], { isRepeatable: true });
  return found.ok && found.value.count > 0;
}

const aborting = (): Result<WorkDone> => fail("aborted", "It was stopped before it began.");

async function safely(...[handler, order, scene]: [WorkHandler, ...Parameters<WorkHandler>]) {
  try {
    return await handler(order, scene);
  } catch (cause) {
    return fail("crashed", cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function createRunning(): Running {
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
