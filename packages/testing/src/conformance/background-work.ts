import assert from "node:assert/strict";
import {
  type BackgroundWork,
  fail,
  ok,
  type WorkHandler,
  type WorkHandlers,
  type WorkItem,
  type WorkOrder,
} from "@palimpsest/core/spec";
import { type ConformanceCase, must, refused } from "./outcomes.ts";

/** A queue that nobody else has, and workers for it. */
export interface WorkWorld {
  readonly work: BackgroundWork;
  /** A worker that does what may be done now; it ends when nothing is left, or soon after the signal aborts. */
  run(
    handlers: WorkHandlers,
    options?: { readonly jobs?: number; readonly signal?: AbortSignal },
  ): Promise<void>;
  /** The time comes of everything that waits. */
  skipWaits(): Promise<void>;
}

const dream: WorkOrder = { kind: "dream", project: "shop" };
const extraction = (session: string): WorkOrder => ({ kind: "extraction", project: "shop", session });
const done = ok({ message: "done" });

/** The contract of every queue of background work. */
export function backgroundWorkConformance(create: () => Promise<WorkWorld>): readonly ConformanceCase[] {
  return [...queueCases(create), ...stopCases(create), ...orderCases(create), ...attemptCases(create)];
}

function queueCases(create: () => Promise<WorkWorld>): readonly ConformanceCase[] {
  return [
    {
      name: "has no work and no workers before anything was queued",
      async run() {
        const { work } = await create();
        assert.deepEqual(must(await work.list()), []);
        assert.equal(must(await work.workers("dream")), 0);
        assert.equal(refused(await work.stop("shop/dream")), "not-found");
      },
    },
    {
      name: "keeps one order of a kind, project and session: the latest, which is done once and forgotten",
      async run() {
        const { work, run } = await create();
        must(await work.enqueue({ ...dream, cwd: "/work/one" }));
        const { queuedAt, runAt, ...item } = must(await work.enqueue({ ...dream, cwd: "/work/two" }));
        const { id } = item;
        const plain = { id, key: "shop/dream", kind: "dream", project: "shop", state: "waiting" };
        assert.deepEqual(item, { ...plain, attempts: 0, maxAttempts: 8 });
        assert.ok(Date.parse(queuedAt) <= Date.parse(runAt));
        assert.deepEqual(must(await work.list()), [{ ...item, queuedAt, runAt }]);
        const seen: unknown[] = [];
        await run({ dream: note(seen) });
        await run({ dream: note(seen) });
        assert.deepEqual(seen, [{ ...dream, cwd: "/work/two" }]);
        assert.deepEqual(must(await work.list()), []);
      },
    },
    {
      name: "lists work in the order in which it is done; what comes again goes to the end",
      async run() {
        const { work, run } = await create();
        for (const session of ["a", "b/fork", "c", "a"]) must(await work.enqueue(extraction(session)));
        const sessions = ["b/fork", "c", "a"];
        assert.deepEqual(
          must(await work.list()).map(({ session }) => session),
          sessions,
        );
        const seen: WorkOrder[] = [];
        await run({ extraction: note(seen) });
        assert.deepEqual(seen, sessions.map(extraction));
      },
    },
    {
      name: "gives a worker only what it has a handler for, and counts the workers of a kind",
      async run() {
        const { work, run } = await create();
        must(await work.enqueue(dream));
        must(await work.enqueue(extraction("a")));
        const counts: number[] = [];
        await run({
          async extraction() {
            counts.push(must(await work.workers("extraction")), must(await work.workers("dream")));
            return done;
          },
        });
        assert.deepEqual([...counts, must(await work.workers("extraction"))], [1, 0, 0]);
        assert.deepEqual(await keysOf(work), ["shop/dream"]);
      },
    },
    {
      name: "refuses what cannot be named",
      async run() {
        const { work } = await create();
        for (const project of ["", "a/b", "a\u0000b", "\ud800", "'; drop", "x".repeat(500)])
          assert.equal(refused(await work.enqueue({ ...dream, project })), "invalid-input");
        assert.equal(refused(await work.enqueue({ kind: "extraction", project: "shop" })), "invalid-input");
        for (const named of ["\u0000", "\ud800", "' or true --", ""])
          assert.equal(refused(await work.stop(named)), "not-found");
        const long = must(await work.enqueue(extraction("s".repeat(300))));
        assert.equal(long.session, "s".repeat(300));
        assert.deepEqual(must(await work.list()), [long]);
      },
    },
  ];
}

function stopCases(create: () => Promise<WorkWorld>): readonly ConformanceCase[] {
  return [
    {
      name: "removes what has not begun, by its id or its key",
      async run() {
        const { work, run } = await create();
        const { id } = must(await work.enqueue(dream));
        must(await work.enqueue(extraction("a")));
        assert.equal(must(await work.stop(id)), "removed");
        assert.equal(refused(await work.stop(id)), "not-found");
        assert.equal(must(await work.stop("shop/a/extraction")), "removed");
        const seen: WorkOrder[] = [];
        await run({ dream: note(seen), extraction: note(seen) });
        assert.deepEqual([seen, must(await work.list())], [[], []]);
      },
    },
    {
      name: "stops what runs, as often as it is said, and does not begin it again",
      async run() {
        const { work, run, skipWaits } = await create();
        const { id } = must(await work.enqueue(dream));
        const seen: unknown[] = [];
        const handler: WorkHandler = async (_order, { signal }) => {
          const [item] = must(await work.list());
          seen.push(item?.id, item?.state, must(await work.stop(id)), must(await work.stop("shop/dream")));
          await untilAborted(signal);
          return fail("aborted", "stopped");
        };
        await run({ dream: handler });
        assert.deepEqual(seen, [id, "running", "stopping", "stopping"]);
        await skipWaits();
        await run({ dream: note(seen) });
        assert.equal(seen.length, 4);
        assert.deepEqual(must(await work.list()), []);
        assert.equal(refused(await work.stop(id)), "not-found");
      },
    },
    {
      name: "stops one of two that run",
      async run() {
        const { work, run } = await create();
        const other = createGate();
        for (const session of ["a", "b"]) must(await work.enqueue(extraction(session)));
        const ended: unknown[] = [];
        const handler: WorkHandler = async ({ session }, { signal }) => {
          if (session === "a") {
            await other.opened;
            await work.stop("shop/a/extraction");
            await untilAborted(signal);
          } else other.open();
          ended.push(session, signal.aborted);
          return signal.aborted ? fail("aborted", "stopped") : done;
        };
        await run({ extraction: handler }, { jobs: 2 });
        assert.deepEqual(ended, ["b", false, "a", true]);
        assert.deepEqual(must(await work.list()), []);
      },
    },
  ];
}

function orderCases(create: () => Promise<WorkWorld>): readonly ConformanceCase[] {
  return [
    {
      name: "does the work of one session one after another, and of several at once",
      async run() {
        const { work, run } = await create();
        const other = createGate();
        for (const session of ["a", "b"]) must(await work.enqueue(extraction(session)));
        const steps: string[] = [];
        const handler: WorkHandler = async ({ session, cwd }) => {
          steps.push(`begin ${session}${cwd ?? ""}`);
          if (session === "b") other.open();
          else if (cwd === undefined) {
            await other.opened;
            must(await work.enqueue({ ...extraction("a"), cwd: "/again" }));
            const ofIt = must(await work.list()).filter((item) => item.session === "a");
            steps.push(...ofIt.map(toStep));
          }
          steps.push(`end ${session}${cwd ?? ""}`);
          return done;
        };
        await run({ extraction: handler }, { jobs: 3 });
        const ofA = steps.filter((step) => !step.endsWith(" b"));
        const both = ["running extraction a", "waiting shop/a/extraction"];
        assert.deepEqual(ofA, ["begin a", ...both, "end a", "begin a/again", "end a/again"]);
      },
    },
    {
      name: "does the dreams of one project one after another",
      async run() {
        const { work, run } = await create();
        must(await work.enqueue(dream));
        let now = 0;
        let most = 0;
        let times = 0;
        const handler: WorkHandler = async () => {
          now += 1;
          times += 1;
          most = Math.max(most, now);
          if (times < 3) must(await work.enqueue(dream));
          now -= 1;
          return done;
        };
        await run({ dream: handler }, { jobs: 3 });
        assert.deepEqual({ times, most }, { times: 3, most: 1 });
      },
    },
    {
      name: "lets a later order stand for one that runs and fails",
      async run() {
        const { work, run, skipWaits } = await create();
        must(await work.enqueue(dream));
        const handler: WorkHandler = async ({ cwd }) => {
          if (cwd !== undefined) return done;
          must(await work.enqueue({ ...dream, cwd: "/later" }));
          return fail("io", "no luck");
        };
        await run({ dream: handler });
        assert.deepEqual(must(await work.list()), []);
        await skipWaits();
        await run({ dream: () => assert.fail("it was done already") });
      },
    },
  ];
}

function attemptCases(create: () => Promise<WorkWorld>): readonly ConformanceCase[] {
  return [
    {
      name: "tries what fails again later, and says at last that it has failed",
      async run() {
        const { work, run, skipWaits } = await create();
        must(await work.enqueue(dream));
        must(await work.enqueue(extraction("a")));
        const attempts: number[] = [];
        const handler: WorkHandler = async (_order, { attempt }) => {
          attempts.push(attempt);
          return fail("io", `no luck ${attempt}`);
        };
        await run({ dream: handler });
        await run({ dream: handler });
        const [, first] = must(await work.list());
        assert.deepEqual(stateOf(first), ["waiting", 1, "no luck 1"]);
        assert.ok(Date.parse(first?.runAt ?? "") > Date.parse(first?.queuedAt ?? ""));
        for (let again = 2; again <= 9; again += 1) {
          await skipWaits();
          await run({ dream: handler });
        }
        assert.deepEqual(attempts, [1, 2, 3, 4, 5, 6, 7, 8]);
        const [waiting, last] = must(await work.list());
        assert.equal(waiting?.key, "shop/a/extraction");
        assert.deepEqual(stateOf(last), ["failed", 8, "no luck 8"]);
        assert.equal(must(await work.stop("shop/dream")), "removed");
      },
    },
    {
      name: "begins anew where an order comes for what has failed",
      async run() {
        const { work, run, skipWaits } = await create();
        must(await work.enqueue(dream));
        const handler: WorkHandler = () => {
          throw new Error("broken");
        };
        for (let attempt = 1; attempt <= 8; attempt += 1) {
          await run({ dream: handler });
          await skipWaits();
        }
        assert.deepEqual(stateOf(must(await work.list())[0]), ["failed", 8, "broken"]);
        must(await work.enqueue(dream));
        assert.deepEqual(must(await work.list()).map(stateOf), [["waiting", 0, undefined]]);
        await run({ dream: async () => done });
        assert.deepEqual(must(await work.list()), []);
      },
    },
    {
      name: "puts back what cannot be done now, and does not count it",
      async run() {
        const { work, run, skipWaits } = await create();
        must(await work.enqueue(dream));
        const seen: WorkOrder[] = [];
        await run({ dream: async () => ok({ message: "held", againAfterMs: 60_000 }) });
        await run({ dream: note(seen) });
        const [item] = must(await work.list());
        assert.deepEqual([item?.key, ...stateOf(item)], ["shop/dream", "waiting", 0, undefined]);
        assert.deepEqual(seen, []);
        await skipWaits();
        await run({ dream: note(seen) });
        assert.deepEqual([seen, must(await work.list())], [[dream], []]);
      },
    },
    {
      name: "does an order that came meanwhile at once, though the one before is put back",
      async run() {
        const { work, run } = await create();
        must(await work.enqueue(dream));
        const handler: WorkHandler = async ({ cwd }) => {
          if (cwd !== undefined) return done;
          must(await work.enqueue({ ...dream, cwd: "/later" }));
          return ok({ message: "held", againAfterMs: 60_000 });
        };
        await run({ dream: handler });
        assert.deepEqual(must(await work.list()), []);
      },
    },
    {
      name: "gives back what runs when a worker ends, and does not count it",
      async run() {
        const { work, run, skipWaits } = await create();
        must(await work.enqueue(dream));
        const ending = new AbortController();
        const handler: WorkHandler = async (_order, { signal }) => {
          ending.abort();
          await untilAborted(signal);
          return fail("aborted", "stopped");
        };
        await run({ dream: handler }, { signal: ending.signal });
        const [item, ...more] = must(await work.list());
        assert.deepEqual([item?.key, ...stateOf(item), more], ["shop/dream", "waiting", 0, undefined, []]);
        await skipWaits();
        const seen: WorkOrder[] = [];
        await run({ dream: note(seen) });
        assert.deepEqual(seen, [dream]);
      },
    },
  ];
}

const note =
  (orders: unknown[]): WorkHandler =>
  async (order) => {
    orders.push(order);
    return done;
  };

const stateOf = (item: WorkItem | undefined) => [item?.state, item?.attempts, item?.lastError];

const toStep = ({ state, key, kind, session }: WorkItem) => `${state} ${key ?? `${kind} ${session}`}`;

async function keysOf(work: BackgroundWork) {
  return must(await work.list()).map(({ key }) => key);
}

/** Lets one handler wait for another. */
function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
