import { describe, expect, it } from "vitest";
import { fail, ok, type WorkHandlers, type WorkOrder } from "../../spec/index.ts";
import { must, refused } from "../../testing/conformance/outcomes.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";
import { createVirtualIds } from "../../testing/virtual-ids.ts";
import { createLocalWork } from "./create-local-work.ts";
import { handOver } from "./hand-over.ts";

const dream: WorkOrder = { kind: "dream", project: "shop" };

function setUp(handlers: WorkHandlers, jobs = 1) {
  const clock = createVirtualClock();
  return { clock, work: createLocalWork({ handlers, clock, ids: createVirtualIds(), jobs }) };
}

/** Lets the test say when work ends. */
function gate() {
  let open: () => void = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe("work in the process", () => {
  it("is done at once, and is seen while it runs", async () => {
    const { opened, open } = gate();
    const { work } = setUp({ dream: async () => opened.then(() => ok({ message: "done" })) });
    const { id } = must(await work.enqueue(dream));
    expect(must(await work.list())).toMatchObject([{ id, key: "shop/dream", state: "running", attempts: 1 }]);
    open();
    await work.idle();
    expect(must(await work.list())).toEqual([]);
  });

  it("of one session is done one after another, and a later order takes the place of one that waits", async () => {
    const { opened, open } = gate();
    const done: (string | undefined)[] = [];
    const handlers: WorkHandlers = {
      async extraction({ session, cwd }) {
        await opened;
        done.push(`${session} ${cwd}`);
        return ok({ message: "" });
      },
    };
    const { work } = setUp(handlers, 4);
    for (const cwd of ["/one", "/two", "/three"])
      must(await work.enqueue({ kind: "extraction", project: "shop", session: "a", cwd }));
    expect(must(await work.list()).map(({ state }) => state)).toEqual(["running", "waiting"]);
    open();
    await work.idle();
    expect(done).toEqual(["a /one", "a /three"]);
  });

  it("that fails is tried again later, and given up at last", async () => {
    const { clock, work } = setUp({ dream: async () => fail("io", "no luck") });
    must(await work.enqueue(dream));
    await work.idle();
    expect(must(await work.list())).toMatchObject([{ state: "waiting", attempts: 1, lastError: "no luck" }]);
    for (let attempt = 2; attempt <= 8; attempt += 1) {
      await clock.advance(10 * 3_600_000);
      await work.idle();
    }
    expect(must(await work.list())).toMatchObject([{ state: "failed", attempts: 8 }]);
    expect(must(await work.stop("shop/dream"))).toBe("removed");
    expect(refused(await work.stop("shop/dream"))).toBe("not-found");
  });

  it("can be stopped while it runs, and ends with the process", async () => {
    const { work } = setUp({
      dream: (_order, { signal }) =>
        new Promise((resolve) => {
          signal.addEventListener("abort", () => resolve(fail("aborted", "stopped")));
        }),
    });
    must(await work.enqueue(dream));
    expect(must(await work.stop("shop/dream"))).toBe("stopping");
    await work.idle();
    expect(must(await work.list())).toEqual([]);
    must(await work.enqueue(dream));
    await work.close();
    expect(must(await work.list())).toEqual([]);
  });

  it("is handed over only where somebody does it", async () => {
    const { work } = setUp({ dream: async () => ok({ message: "" }) });
    expect(await handOver(undefined, dream)).toBe(false);
    expect(await handOver(work, { kind: "extraction", project: "shop", session: "a" })).toBe(false);
    expect(await handOver(work, dream)).toBe(true);
    await work.idle();
  });
});
