import { checkOrder, workAttempts, workKey, workQueue } from "../../context/work-order.ts";
import {
  type BackgroundWork,
  type Clock,
  fail,
  type Ids,
  ok,
  type Result,
  type WorkDone,
  type WorkHandlers,
  type WorkItem,
  type WorkOrder,
} from "../../spec/index.ts";

export interface LocalWorkOptions {
  readonly handlers: WorkHandlers;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Jobs at once. */
  readonly jobs?: number;
}

/** The work of one process, done by itself. What is left when it is closed is lost, as with the process. */
export interface LocalWork extends BackgroundWork {
  /** Resolves when nothing runs and nothing may be done now. */
  idle(): Promise<void>;
  /** Stops what runs, and forgets the rest. */
  close(): Promise<void>;
}

interface Job {
  readonly id: string;
  readonly order: WorkOrder;
  readonly queuedMs: number;
  readonly stopping: AbortController;
  runMs: number;
  attempts: number;
  isRunning: boolean;
  lastError?: string;
}

export function createLocalWork({ handlers, clock, ids, jobs = 1 }: LocalWorkOptions): LocalWork {
  const known = new Map<string, Job>();
  const running = new Set<Promise<void>>();
  const closing = new AbortController();

  const isDue = (job: Job) => !job.isRunning && job.attempts < workAttempts && job.runMs <= clock.now();

  function next(): Job | undefined {
    const busy = new Set(
      [...known.values()].filter((job) => job.isRunning).map(({ order }) => workQueue(order)),
    );
    return [...known.values()].find((job) => isDue(job) && !busy.has(workQueue(job.order)));
  }

  function turn(): void {
    while (running.size < jobs && !closing.signal.aborted) {
      const job = next();
      if (!job) return;
      job.isRunning = true;
      job.attempts += 1;
      const done = run(job).finally(() => {
        running.delete(done);
        turn();
      });
      running.add(done);
    }
  }

  async function run(job: Job): Promise<void> {
    const { order, stopping, attempts: attempt } = job;
    const signal = AbortSignal.any([stopping.signal, closing.signal]);
    const done = await safely(() => handlers[order.kind]?.(order, { signal, attempt }));
    job.isRunning = false;
    if (signal.aborted || (done.ok && done.value.againAfterMs === undefined))
      return void known.delete(job.id);
    if (done.ok) job.attempts = 0;
    else job.lastError = done.error.message;
    const waitMs = done.ok ? (done.value.againAfterMs ?? 0) : 1_000 * Math.exp(Math.min(attempt, 10));
    job.runMs = clock.now() + waitMs;
    void clock.sleep(waitMs, closing.signal).then(turn);
  }

  return {
    async enqueue(order) {
      const checked = checkOrder(order);
      if (!checked.ok) return checked;
      const key = workKey(order);
      const former = [...known.values()].find((job) => !job.isRunning && workKey(job.order) === key);
      if (former) known.delete(former.id);
      const at = clock.now();
      const job: Job = {
        id: former?.id ?? ids.next("work"),
        order,
        queuedMs: at,
        runMs: at,
        attempts: 0,
        isRunning: false,
        stopping: new AbortController(),
      };
      known.set(job.id, job);
      const item = toItem(job);
      turn();
      return ok(item);
    },
    list: async () => ok([...known.values()].map(toItem)),
    async stop(idOrKey) {
      const job = known.get(idOrKey) ?? [...known.values()].find(({ order }) => workKey(order) === idOrKey);
      if (!job) return fail("not-found", `There is no work “${idOrKey}”.`, { fix: "Look at the list." });
      job.stopping.abort();
      if (job.isRunning) return ok("stopping");
      known.delete(job.id);
      return ok("removed");
    },
    workers: async (kind) => ok(handlers[kind] ? 1 : 0),
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
    async close() {
      closing.abort();
      await Promise.all(running);
      known.clear();
    },
  };
}

async function safely(work: () => Promise<Result<WorkDone>> | undefined): Promise<Result<WorkDone>> {
  try {
    return (await work()) ?? fail("not-found", "Nobody here does such work.");
  } catch (cause) {
    return fail("crashed", cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function toItem(job: Job): WorkItem {
  const { id, order, attempts, isRunning, lastError } = job;
  const { kind, project, session } = order;
  return {
    id,
    key: workKey(order),
    kind,
    project,
    ...(session !== undefined && { session }),
    state: isRunning ? "running" : attempts >= workAttempts ? "failed" : "waiting",
    attempts,
    maxAttempts: workAttempts,
    queuedAt: new Date(job.queuedMs).toISOString(),
    runAt: new Date(job.runMs).toISOString(),
    ...(lastError !== undefined && { lastError }),
  };
}
