import { EventEmitter } from "node:events";
import type { Task, WorkerEvents, WorkerPool } from "graphile-worker";
import {
  type Clock,
  fail,
  ok,
  type Processes,
  type ProcessIdentity,
  type Result,
  type WorkHandler,
  type WorkHandlers,
  type WorkOrder,
} from "../../../spec/index.ts";
import { loadPg, type Pg } from "../database.ts";
import { doOrder, type RunningOrder, type WorkerContext } from "./do-order.ts";
import { type GraphileWorker, loadGraphileWorker } from "./load-graphile-worker.ts";
import {
  makeWorkSchema,
  openQueuePool,
  silentLogger,
  type WorkerEvent,
  type WorkLocation,
  workSchemaOf,
} from "./work-schema.ts";
import { startWorkerBeat } from "./worker-beat.ts";

export interface WorkerOptions extends WorkLocation {
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

/** How often to look, unless told otherwise. */
const defaultPollMs = 2_000;

/**
 * Does work until the signal aborts, or with `isOnce` until none is left. A server that goes away later is waited for;
 * one that is not there at first is a failure.
 */
export async function runPostgresWorker(options: WorkerOptions, signal: AbortSignal): Promise<Result<void>> {
  const { clock, processes, isOnce = false, pollMs = defaultPollMs } = options;
  const loaded = await loadGraphileWorker();
  if (!loaded.ok) return loaded;
  const driver = await loadPg();
  if (!driver.ok) return driver;
  const made = await makeWorkSchema(options);
  if (!made.ok) return made;
  const self = await processes.self();
  const server = watchServer(options.onEvent);
  const stretch = { options, graphile: loaded.value, pg: driver.value, self, server };
  while (!signal.aborted) {
    const ended = await workAWhile(stretch, signal);
    if (isOnce && !ended.ok) return ended;
    // Work that waited for other work of its session may be due by now.
    if (isOnce && ended.ok && ended.value === 0) return ok();
    if (isOnce || signal.aborted) continue;
    server.failed(ended.ok ? "The queue has lost the server." : ended.error.message);
    await clock.sleep(pollMs, signal);
  }
  return ok();
}

interface WorkerRun {
  readonly options: WorkerOptions;
  readonly graphile: GraphileWorker;
  readonly pg: Pg;
  readonly self: ProcessIdentity;
  readonly server: ReturnType<typeof watchServer>;
}

/**
 * Until the signal aborts, nothing is left, or the queue gives up; says how much was begun. What was not ended is given
 * back.
 */
async function workAWhile(
  { options, graphile, pg, self, server }: WorkerRun,
  signal: AbortSignal,
): Promise<Result<number>> {
  const { database, url, clock, handlers, jobs = 1, isOnce = false, pollMs = defaultPollMs } = options;
  const running = new Map<string, RunningOrder>();
  const ending = new AbortController();
  const context = { database, running, ending: ending.signal, onEvent: options.onEvent ?? (() => undefined) };
  const over = createPromise();
  const events: WorkerEvents = new EventEmitter();
  const pools: WorkerPool[] = [];
  const beats: ReturnType<typeof startWorkerBeat>[] = [];
  events.on("pool:create", ({ workerPool }) => {
    pools.push(workerPool);
    const kinds = Object.keys(handlers);
    beats.push(startWorkerBeat({ ...options, worker: workerPool.id, process: self, kinds, running }));
  });
  const looks = watchLooks(events, server, over.resolve);
  const pgPool = openQueuePool(pg, url, jobs + 2);
  const shared = {
    pgPool,
    schema: workSchemaOf(database),
    concurrency: jobs,
    pollInterval: pollMs,
    noHandleSignals: true,
    noPreparedStatements: true,
    logger: silentLogger(graphile),
    events,
    // Without them the end of the worker does not wait until the queue knows what was done.
    preset: { worker: { completeJobBatchDelay: 0, failJobBatchDelay: 0 } },
    taskList: tasksOf(handlers, context),
  };
  const onAbort = () => {
    void clock.sleep(options.graceMs ?? 5_000, ending.signal).then(() => ending.abort());
    over.resolve();
  };
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    if (isOnce) {
      const left = graphile.runOnce(shared);
      await Promise.race([left, over.promise]);
      if (signal.aborted) await Promise.allSettled(pools.map((pool) => pool.gracefulShutdown()));
      await left;
    } else {
      const runner = await graphile.run(shared);
      void over.promise.then(() => runner.stop()).catch(() => undefined);
      await runner.promise;
    }
    return ok(looks.begun());
  } catch (cause) {
    return fail("io", `The worker ended: ${cause instanceof Error ? cause.message : String(cause)}`, {
      fix: "See that the server runs and that DATABASE_URL leads to it, then start it again.",
      retryable: true,
      cause,
    });
  } finally {
    signal.removeEventListener("abort", onAbort);
    ending.abort();
    await Promise.all(beats.map((beat) => beat.end()));
    // Not waited for: a connection that is lost may be given back late.
    void pgPool.end().catch(() => undefined);
  }
}

function tasksOf(handlers: WorkHandlers, context: WorkerContext): Readonly<Record<string, Task>> {
  const known = Object.entries(handlers) as readonly (readonly [string, WorkHandler])[];
  return Object.fromEntries(
    known.map(([kind, handler]): [string, Task] => [
      kind,
      (payload, helpers) => doOrder(context, handler, payload as WorkOrder, helpers),
    ]),
  );
}

/** The queue remembers the failure of its first look for good: it would never find work any more, and has to begin anew. */
function watchLooks(
  events: WorkerEvents,
  server: Pick<ReturnType<typeof watchServer>, "failed" | "answered">,
  onFirstFailure: () => void,
) {
  let begun = 0;
  let hasLooked = false;
  const found = () => {
    hasLooked = true;
    server.answered();
  };
  events.on("worker:getJob:error", ({ error }) => {
    server.failed(String((error as Error).message));
    if (!hasLooked) onFirstFailure();
  });
  events.on("worker:getJob:empty", found);
  events.on("job:start", () => {
    begun += 1;
    found();
  });
  return { begun: () => begun };
}

function createPromise() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

/** Tells once that the server does not answer, and once that it does again. */
function watchServer(onEvent: (event: WorkerEvent) => void = () => undefined) {
  let isAway = false;
  return {
    failed(message: string): void {
      if (!isAway) onEvent({ type: "server-away", message });
      isAway = true;
    },
    answered(): void {
      if (isAway) onEvent({ type: "server-back" });
      isAway = false;
    },
  };
}
