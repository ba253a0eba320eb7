import { afterAll, expect, it, onTestFinished } from "vitest";
import { startCuttingProxy } from "../../../../../../test/support/postgres/cutting-proxy.ts";
import {
  describeOnPostgres,
  openBeside,
  openTestDatabase,
  postgresUrl,
} from "../../../../../../test/support/postgres/use-postgres.ts";
import { must } from "../../../../../testing/src/conformance/outcomes.ts";
import { createRuntime } from "../../../runtime.ts";
import { fail, ok, type WorkHandlers, type WorkOrder } from "../../../spec/index.ts";
import { createPostgresBackgroundWork } from "./background-work.ts";
import { runPostgresWorker, type WorkerOptions } from "./run-worker.ts";
import { type WorkerEvent, workSchemaOf } from "./work-schema.ts";

const { clock, processes } = createRuntime();
const never = new AbortController().signal;
const dream: WorkOrder = { kind: "dream", project: "shop" };

const lockedLongAgo = "locked_by = 'pool-unheard', locked_at = now() - interval '2 minutes'";

describeOnPostgres("a worker on postgres", async () => {
  const database = await openTestDatabase();
  const url = postgresUrl();
  const queue = `"${workSchemaOf(database)}"`;
  const work = createPostgresBackgroundWork({ database, url });
  afterAll(async () => {
    const other = await openBeside(database);
    must(await other.query(`drop schema if exists ${queue} cascade`));
  });

  async function told(handlers: WorkHandlers, more: Partial<WorkerOptions> = {}, signal = never) {
    const lines: string[] = [];
    const onEvent = (event: WorkerEvent) => {
      lines.push(toLine(event));
      more.onEvent?.(event);
    };
    const options = { database, url, handlers, clock, processes, isOnce: true, pollMs: 10, beatMs: 10 };
    must(await runPostgresWorker({ ...options, ...more, onEvent }, signal));
    return lines;
  }

  it("tells what it begins and how it ends", async () => {
    must(await work.enqueue(dream));
    const busy: WorkHandlers = { dream: async () => ok({ message: "held", againAfterMs: 60_000 }) };
    expect(await told(busy)).toEqual(["begins 1", "again: held"]);
    must(await work.enqueue(dream));
    expect(await told({ dream: async () => fail("io", "no luck") })).toEqual(["begins 1", "failed: no luck"]);
    must(await work.enqueue(dream));
    expect(await told({ dream: async () => ok({ message: "fine" }) })).toEqual(["begins 1", "done: fine"]);
    must(await work.enqueue(dream));
    const stopped: WorkHandlers = {
      async dream(_order, { signal }) {
        must(await work.stop("shop/dream"));
        await untilAborted(signal);
        return fail("aborted", "stopped");
      },
    };
    expect(await told(stopped)).toEqual(["begins 1", "stopped: Stopped by hand."]);
  });

  it("says that what was stopped is done where it came to its end all the same", async () => {
    must(await work.enqueue(dream));
    const handlers: WorkHandlers = {
      async dream(_order, { signal }) {
        must(await work.stop("shop/dream"));
        await untilAborted(signal);
        return ok({ message: "too late" });
      },
    };
    expect(await told(handlers)).toEqual(["begins 1", "done: too late"]);
    expect(must(await work.list())).toEqual([]);
  });

  it("does not begin what was stopped while nobody worked on it any more", async () => {
    const { id } = must(await work.enqueue(dream));
    must(await database.query(`insert into ${database.schema}.work_stop (job) values ($1)`, [id]));
    const handlers: WorkHandlers = { dream: () => expect.fail("it was stopped") };
    expect(await told(handlers)).toEqual(["begins 1", "stopped: Stopped by hand."]);
    expect(must(await database.query(`select 1 from ${database.schema}.work_stop`)).count).toBe(0);
  });

  it("that goes on until it is told to end gives back what runs", async () => {
    must(await work.enqueue(dream));
    const ending = new AbortController();
    const handlers: WorkHandlers = {
      async dream(_order, { signal }) {
        ending.abort();
        await untilAborted(signal);
        return fail("aborted", "stopped");
      },
    };
    const lines = await told(handlers, { isOnce: false, graceMs: 0 }, ending.signal);
    expect(lines).toEqual(["begins 1", "again: The worker ends: it is put back."]);
    expect(must(await work.list())).toMatchObject([{ key: "shop/dream", state: "waiting", attempts: 0 }]);
    expect(must(await work.workers("dream"))).toBe(0);
    must(await work.stop("shop/dream"));
  });

  it("lets what runs come to its end where that takes no longer than its patience", async () => {
    must(await work.enqueue(dream));
    const ending = new AbortController();
    const handlers: WorkHandlers = {
      async dream(_order, { signal }) {
        ending.abort();
        await new Promise(setImmediate);
        return ok({ message: String(signal.aborted) });
      },
    };
    expect(await told(handlers, { isOnce: false }, ending.signal)).toEqual(["begins 1", "done: false"]);
    expect(must(await work.list())).toEqual([]);
  });

  it("takes over what a worker had begun that died before anybody heard of it", async () => {
    const { id } = must(await work.enqueue(dream));
    must(await database.query(`update ${queue}._private_jobs set ${lockedLongAgo} where id = $1`, [id]));
    must(await database.query(`update ${queue}._private_job_queues set ${lockedLongAgo}`));
    const ending = new AbortController();
    const handlers: WorkHandlers = {
      async dream() {
        ending.abort();
        return ok({ message: "fine" });
      },
    };
    const lines = await told(handlers, { isOnce: false }, ending.signal);
    expect(lines).toEqual(["begins 1", "done: fine"]);
  });

  it("takes over what a dead worker had begun, and sweeps away what has a later order", async () => {
    const { id } = must(await work.enqueue(dream));
    must(
      await database.query(
        `with dead as (
           insert into ${database.schema}.work_process (id, host, pid, kinds, seen_at)
           values ('pool-dead', 'gone', 1, '{dream}', now() - interval '2 minutes') returning id
         ),
         job as (
           update ${queue}._private_jobs set locked_by = 'pool-dead', locked_at = now(), attempts = 1
           where id = $1 returning job_queue_id
         )
         update ${queue}._private_job_queues q set locked_by = 'pool-dead', locked_at = now()
         from job where q.id = job.job_queue_id`,
        [id],
      ),
    );
    must(await work.enqueue(dream));
    expect(must(await work.list())).toMatchObject([
      { id, state: "running", worker: "pool-dead" },
      { key: "shop/dream", state: "waiting" },
    ]);
    const ending = new AbortController();
    const rows = async () => must(await database.query(`select 1 from ${queue}._private_jobs`)).count;
    const handlers: WorkHandlers = {
      async dream(_order, { attempt }) {
        await expect.poll(rows, { interval: 5 }).toBe(1);
        ending.abort();
        return ok({ message: `try ${attempt}` });
      },
    };
    expect(await told(handlers, { isOnce: false }, ending.signal)).toEqual(["begins 1", "done: try 1"]);
    expect([await rows(), must(await work.list())]).toEqual([0, []]);
  });

  /** A worker that reaches the server through something that can be cut. */
  async function behindProxy() {
    const proxy = await startCuttingProxy(url);
    onTestFinished(() => proxy.close());
    const through = await openBeside(database, { url: proxy.url, patienceMs: 60 });
    const leave = () => {
      proxy.setRefusing(true);
      proxy.cut();
    };
    return { proxy, leave, options: { database: through, url: proxy.url, isOnce: false } };
  }

  it("waits for a server that goes away while there is nothing to do, and goes on", async () => {
    const { proxy, leave, options } = await behindProxy();
    const ending = new AbortController();
    const handlers: WorkHandlers = {
      async dream() {
        ending.abort();
        return ok({ message: "back" });
      },
    };
    const onEvent = async ({ type }: WorkerEvent) => {
      if (type !== "server-away") return;
      must(await work.enqueue(dream));
      proxy.setRefusing(false);
    };
    const working = told(handlers, { ...options, onEvent }, ending.signal);
    await expect.poll(async () => must(await work.workers("dream")), { interval: 5 }).toBe(1);
    leave();
    const lines = (await working).filter((line) => !line.startsWith("begins"));
    expect(lines).toEqual(["away", "back", "done: back"]);
    expect(must(await work.list())).toEqual([]);
  });

  it("does again what it could not say it had done, once the server is back", async () => {
    const { proxy, leave, options } = await behindProxy();
    must(await work.enqueue(dream));
    const ending = new AbortController();
    let times = 0;
    const handlers: WorkHandlers = {
      async dream() {
        times += 1;
        if (times === 1) leave();
        else ending.abort();
        return ok({ message: "fine" });
      },
    };
    const onEvent = async ({ type }: WorkerEvent) => {
      if (type !== "server-away") return;
      // By then it has tried to say so too.
      await expect.poll(() => proxy.refused, { interval: 5 }).toBeGreaterThan(20);
      proxy.setRefusing(false);
    };
    const lines = await told(handlers, { ...options, patienceMs: 0, onEvent }, ending.signal);
    const ends = lines.filter((line) => !line.startsWith("begins"));
    expect(ends).toEqual(["done: fine", "away", "back", "done: fine"]);
    expect(must(await work.list())).toEqual([]);
  });
});

function toLine(event: WorkerEvent): string {
  if (event.type === "work-start") return `begins ${event.attempt}`;
  if (event.type === "work-end") return `${event.outcome}: ${event.message}`;
  return event.type.slice("server-".length);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
