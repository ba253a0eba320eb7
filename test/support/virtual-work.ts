import {
  type BackgroundWork,
  type Clock,
  fail,
  ok,
  type Result,
  type WorkDone,
  type WorkHandlers,
  type WorkItem,
  type WorkKind,
  type WorkOrder,
} from "../../packages/core/src/spec/index.ts";
import { checkOrder, workAttempts, workKey, workQueue } from "../../packages/core/src/view/work-order.ts";
import { createVirtualIds } from "../../packages/testing/src/virtual-clock.ts";

export interface VirtualWork extends BackgroundWork {
  /** A worker that does what may be done now, and ends when nothing is left or the signal aborts. */
  run(
    handlers: WorkHandlers,
    options?: { readonly jobs?: number; readonly signal?: AbortSignal },
  ): Promise<void>;
}

interface Job {
  readonly id: string;
  readonly order: WorkOrder;
  readonly queuedMs: number;
  readonly stopping: AbortController;
  isReplaced: boolean;
  isRunning: boolean;
  runMs: number;
  attempts: number;
  lastError?: string;
}

/** A queue in memory, as plain as one can be: what the others have to be like. */
export function createVirtualWork(clock: Clock): VirtualWork {
  const ids = createVirtualIds();
  const jobs: Job[] = [];
  const standing: (readonly WorkKind[])[] = [];

  const remove = (job: Job) => void (jobs.includes(job) && jobs.splice(jobs.indexOf(job), 1));
  const placed = (rank: (job: Job) => number) => (a: Job, b: Job) => rank(a) - rank(b) || a.runMs - b.runMs;
  const listed = () => jobs.toSorted(placed((job) => ["running", "waiting", "failed"].indexOf(stateOf(job))));

  function next(kinds: readonly WorkKind[]): Job | undefined {
    const busy = new Set(jobs.filter(({ isRunning }) => isRunning).map(({ order }) => workQueue(order)));
    return listed().find(
      (job) =>
        stateOf(job) === "waiting" &&
        job.runMs <= clock.now() &&
        kinds.includes(job.order.kind) &&
        !busy.has(workQueue(job.order)),
    );
  }

  async function work(job: Job, handlers: WorkHandlers, ending?: AbortSignal): Promise<void> {
    job.isRunning = true;
    job.attempts += 1;
    const signal = AbortSignal.any([job.stopping.signal, ...(ending ? [ending] : [])]);
    const { order, attempts: attempt } = job;
    const done = await safely(() => handlers[order.kind]?.(order, { signal, attempt }));
    job.isRunning = false;
    if (job.stopping.signal.aborted || job.isReplaced) return remove(job);
    if (done.ok && done.value.againAfterMs === undefined) return remove(job);
    if (!done.ok && !ending?.aborted) job.lastError = done.error.message;
    else job.attempts = 0;
    const waitMs = done.ok ? (done.value.againAfterMs ?? 0) : 1_000 * Math.exp(Math.min(attempt, 10));
    job.runMs = clock.now() + waitMs;
  }

  return {
    async enqueue(order) {
      const checked = checkOrder(order);
      if (!checked.ok) return checked;
      const former = jobs.find((job) => !job.isReplaced && workKey(job.order) === workKey(order));
      if (former?.isRunning) former.isReplaced = true;
      else if (former) remove(former);
      const [id, at] = [former?.isRunning === false ? former.id : ids.next("work"), clock.now()];
      const stopping = new AbortController();
      const job = { id, order, queuedMs: at, runMs: at, attempts: 0, stopping };
      jobs.push({ ...job, isRunning: false, isReplaced: false });
      return ok(toItem(jobs.at(-1) as Job));
    },
    list: async () => ok(listed().map(toItem)),
    async stop(idOrKey) {
      const job = jobs.find((one) => [one.id, toItem(one).key].includes(idOrKey));
      if (!job) return fail("not-found", `There is no work “${idOrKey}”.`);
      job.stopping.abort();
      if (job.isRunning) return ok("stopping");
      remove(job);
      return ok("removed");
    },
    workers: async (kind) => ok(standing.filter((kinds) => kinds.includes(kind)).length),
    async run(handlers, { jobs: most = 1, signal } = {}) {
      const kinds = Object.keys(handlers) as WorkKind[];
      standing.push(kinds);
      const lane = async () => {
        for (let job = next(kinds); job && !signal?.aborted; job = next(kinds))
          await work(job, handlers, signal);
      };
      await Promise.all(Array.from({ length: most }, lane));
      standing.splice(standing.indexOf(kinds), 1);
    },
  };
}

function stateOf({ isRunning, attempts }: Job): WorkItem["state"] {
  if (isRunning) return "running";
  return attempts >= workAttempts ? "failed" : "waiting";
}

async function safely(work: () => Promise<Result<WorkDone>> | undefined): Promise<Result<WorkDone>> {
  try {
    return (await work()) ?? fail("not-found", "Nobody here does such work.");
  } catch (cause) {
    return fail("crashed", cause instanceof Error ? cause.message : String(cause), { cause });
  }
}

function toItem(job: Job): WorkItem {
  const { id, order, attempts, lastError, isReplaced } = job;
  const { kind, project, session } = order;
  return {
    id,
    ...(!isReplaced && { key: workKey(order) }),
    kind,
    project,
    ...(session !== undefined && { session }),
    state: stateOf(job),
    attempts,
    maxAttempts: workAttempts,
    queuedAt: new Date(job.queuedMs).toISOString(),
    runAt: new Date(job.runMs).toISOString(),
    ...(lastError !== undefined && { lastError }),
  };
}
