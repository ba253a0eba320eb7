import { afterAll, expect, it } from "vitest";
import {
  describeOnPostgres,
  openBeside,
  openTestDatabase,
  postgresUrl,
} from "../../../../test/support/postgres/use-postgres.ts";
import { createRuntime } from "../../../runtime.ts";
import { fail, ok, type WorkHandlers, type WorkOrder } from "../../../spec/index.ts";
import { must, refused } from "../../../testing/conformance/outcomes.ts";
import { createPostgresBackgroundWork } from "./background-work.ts";
import { runPostgresWorker, type WorkerEvent, type WorkerOptions } from "./run-worker.ts";
import { workSchemaOf } from "./work-schema.ts";

const { clock, processes } = createRuntime();
const never = new AbortController().signal;
const dream: WorkOrder = { kind: "dream", project: "shop" };
const extraction = (session: string): WorkOrder => ({ kind: "extraction", project: "shop", session });

describeOnPostgres("background work on postgres", async () => {
  const database = await openTestDatabase();
  const url = postgresUrl();
  const queue = `"${workSchemaOf(database)}"`;
  const work = createPostgresBackgroundWork({ database, url });
  afterAll(async () => {
    const other = await openBeside(database);
    must(await other.query(`drop schema if exists ${queue} cascade`));
  });

  async function once(handlers: WorkHandlers, more: Partial<WorkerOptions> = {}, signal = never) {
    const events: WorkerEvent[] = [];
    const onEvent = (event: WorkerEvent) => void events.push(event);
    const options = { database, url, handlers, clock, processes, isOnce: true, onEvent, ...more };
    must(await runPostgresWorker(options, signal));
    return events.flatMap((event) =>
      event.type === "work-end" ? [`${event.outcome}: ${event.message}`] : [],
    );
  }

  const runAtOnce = () =>
    database.query(`update ${queue}._private_jobs set run_at = now() - interval '1 second'`);

  it("has nothing before anything was queued, and no workers", async () => {
    expect(must(await work.list())).toEqual([]);
    expect(must(await work.workers("dream"))).toBe(0);
    expect(refused(await work.stop("1"))).toBe("not-found");
  });

  it("keeps one order for a key, does it, and forgets it", async () => {
    const { id } = must(await work.enqueue(dream));
    const { queuedAt, runAt, ...item } = must(await work.enqueue({ ...dream, cwd: "/work/shop" }));
    expect(item).toEqual({
      id,
      key: "shop/dream",
      kind: "dream",
      project: "shop",
      state: "waiting",
      attempts: 0,
      maxAttempts: 8,
    });
    expect(Date.parse(queuedAt)).toBeLessThanOrEqual(Date.parse(runAt));
    const orders: WorkOrder[] = [];
    const ended = await once({
      async dream(order, { attempt }) {
        orders.push(order);
        return ok({ message: `try ${attempt}` });
      },
    });
    expect({ ended, orders }).toEqual({ ended: ["done: try 1"], orders: [{ ...dream, cwd: "/work/shop" }] });
    expect(must(await work.list())).toEqual([]);
  });

  it("does only what it has a handler for, one after another within a session", async () => {
    for (const session of ["a", "b/fork"]) must(await work.enqueue(extraction(session)));
    must(await work.enqueue(dream));
    let now = 0;
    let most = 0;
    const ended = await once(
      {
        async extraction({ session }) {
          now += 1;
          most = Math.max(most, now);
          await Promise.resolve();
          now -= 1;
          return ok({ message: session ?? "" });
        },
      },
      { jobs: 4 },
    );
    expect([...ended].sort()).toEqual(["done: a", "done: b/fork"]);
    expect(must(await work.list()).map(({ key }) => key)).toEqual(["shop/dream"]);
    expect(must(await work.stop("shop/dream"))).toBe("removed");
  });

  it("tries what fails again later, and says at last that it has failed", async () => {
    const handlers: WorkHandlers = { dream: async () => fail("io", "no luck") };
    must(await work.enqueue(dream));
    expect(await once(handlers)).toEqual(["failed: no luck"]);
    const [waiting] = must(await work.list());
    expect(waiting).toMatchObject({ state: "waiting", attempts: 1, lastError: "no luck" });
    expect(Date.parse(waiting?.runAt ?? "")).toBeGreaterThan(Date.parse(waiting?.queuedAt ?? ""));
    for (let attempt = 2; attempt <= 8; attempt += 1) {
      must(await runAtOnce());
      await once(handlers);
    }
    const [failed] = must(await work.list());
    expect(failed).toMatchObject({ state: "failed", attempts: 8 });
    expect(must(await work.stop(failed?.id ?? ""))).toBe("removed");
  });

  it("takes a handler that throws for one that failed, and puts back what cannot be done now", async () => {
    must(await work.enqueue(dream));
    const broken: WorkHandlers = {
      dream() {
        throw new Error("broken");
      },
    };
    expect(await once(broken)).toEqual(["failed: broken"]);
    must(await runAtOnce());
    const busy: WorkHandlers = { dream: async () => ok({ message: "held", againAfterMs: 60_000 }) };
    expect(await once(busy)).toEqual(["again: held"]);
    const [item] = must(await work.list());
    expect(item).toMatchObject({ key: "shop/dream", state: "waiting", attempts: 0 });
    must(await work.stop("shop/dream"));
  });

  it("stops what runs, wherever it runs, and does not begin it again", async () => {
    must(await work.enqueue(dream));
    const seen: string[] = [];
    const ended = await once(
      {
        async dream(_order, { signal }) {
          const [item] = must(await work.list());
          seen.push(
            item?.state ?? "",
            must(await work.stop(item?.id ?? "")),
            String(must(await work.workers("dream"))),
          );
          await untilAborted(signal);
          return fail("aborted", "stopped");
        },
      },
      { beatMs: 10 },
    );
    expect({ seen, ended }).toEqual({
      seen: ["running", "stopping", "1"],
      ended: ["stopped: Stopped by hand."],
    });
    expect([must(await work.list()), must(await work.workers("dream"))]).toEqual([[], 0]);
  });

  it("gives back what runs when it ends, without counting it as a failure", async () => {
    must(await work.enqueue(dream));
    const ending = new AbortController();
    const handlers: WorkHandlers = {
      async dream(_order, { signal }) {
        ending.abort();
        await untilAborted(signal);
        return fail("aborted", "stopped");
      },
    };
    const ended = await once(handlers, { isOnce: false, graceMs: 0, pollMs: 20 }, ending.signal);
    expect(ended).toEqual(["again: The worker ends: it is put back."]);
    expect(must(await work.list())).toMatchObject([{ key: "shop/dream", state: "waiting", attempts: 0 }]);
    must(await work.stop("shop/dream"));
  });

  it("takes over what a dead worker had begun", async () => {
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
    expect(must(await work.list())).toMatchObject([{ state: "running", worker: "pool-dead" }]);
    const ending = new AbortController();
    const handlers: WorkHandlers = {
      async dream(_order, { attempt }) {
        ending.abort();
        return ok({ message: `try ${attempt}` });
      },
    };
    const more = { isOnce: false, pollMs: 10, beatMs: 10 };
    expect(await once(handlers, more, ending.signal)).toEqual(["done: try 2"]);
    expect(must(await work.list())).toEqual([]);
  });

  it("refuses what cannot be named", async () => {
    for (const project of ["", "a/b", "a\u0000b", "x".repeat(500)])
      expect(refused(await work.enqueue({ ...dream, project }))).toBe("invalid-input");
    expect(refused(await work.enqueue({ kind: "extraction", project: "shop" }))).toBe("invalid-input");
    const long = must(await work.enqueue(extraction("s".repeat(300))));
    expect(long.session).toBe("s".repeat(300));
    must(await work.stop(long.id));
  });
});

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
