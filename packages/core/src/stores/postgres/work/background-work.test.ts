import { afterAll, describe, expect, it } from "vitest";
import { losingAnswers } from "../../../../../../test/support/postgres/lose-answers.ts";
import {
  describeOnPostgres,
  openBeside,
  openTestDatabase,
  postgresUrl,
} from "../../../../../../test/support/postgres/use-postgres.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { backgroundWorkConformance, type WorkWorld } from "../../../../../testing/src/index.ts";
import { createRuntime } from "../../../runtime.ts";
import { ok, type WorkHandlers, type WorkOrder } from "../../../spec/index.ts";
import type { Database } from "../database.ts";
import { createPostgresBackgroundWork } from "./background-work.ts";
import { runPostgresWorker } from "./run-worker.ts";
import { hasWorkSchema, workSchemaOf } from "./work-schema.ts";

const { clock, processes } = createRuntime();
const never = new AbortController().signal;
const dream: WorkOrder = { kind: "dream", project: "shop" };

describeOnPostgres("the queue on postgres", async () => {
  const database = await openTestDatabase();
  const url = postgresUrl();
  const queue = `"${workSchemaOf(database)}"`;
  const work = createPostgresBackgroundWork({ database, url });
  afterAll(async () => {
    const other = await openBeside(database);
    must(await other.query(`drop schema if exists ${queue} cascade`));
  });

  const worker = (through: Database, handlers: WorkHandlers, jobs = 1, signal = never) =>
    runPostgresWorker(
      { database: through, url, handlers, clock, processes, jobs, isOnce: true, beatMs: 10, graceMs: 0 },
      signal,
    );

  /** The queue of the file, emptied. */
  async function createWorld(through = database): Promise<WorkWorld> {
    const isMade = must(await hasWorkSchema(database));
    if (isMade) must(await database.query(`delete from ${queue}._private_jobs`));
    return {
      work: createPostgresBackgroundWork({ database: through, url }),
      run: async (handlers, { jobs, signal } = {}) =>
        void must(await worker(through, handlers, jobs, signal)),
      async skipWaits() {
        must(await database.query(`update ${queue}._private_jobs set run_at = now() - interval '1 second'`));
      },
    };
  }

  describe("promises what every queue does", () => {
    for (const { name, run } of backgroundWorkConformance(createWorld)) it(name, run);
  });

  describe("promises the same where the answer to every statement is lost", () => {
    for (const { name, run } of backgroundWorkConformance(() => createWorld(losingAnswers(database))))
      it(name, run);
  });

  it("queues an order once though its answer is lost and a worker was quick", async () => {
    await createWorld();
    let times = 0;
    const handlers: WorkHandlers = {
      async dream() {
        times += 1;
        return ok({ message: "" });
      },
    };
    const between = losingBetween(database, () => worker(database, handlers));
    const { id } = must(await createPostgresBackgroundWork({ database: between, url }).enqueue(dream));
    expect([times, must(await work.list())]).toEqual([1, []]);
    expect(refused(await work.stop(id))).toBe("not-found");
  });

  it("waits for a commit that goes on while its connection is lost, and answers as it did", async () => {
    await createWorld();
    const cut = createPostgresBackgroundWork({ database: losingDuringCommit(database), url });
    const item = must(await cut.enqueue(dream));
    expect(must(await work.list())).toEqual([item]);
    expect(must(await cut.stop(item.id))).toBe("removed");
    expect(must(await work.list())).toEqual([]);
  });

  it("does not remove the next order where the answer about the one before is lost", async () => {
    await createWorld();
    must(await work.enqueue(dream));
    const between = losingBetween(database, () => work.enqueue(dream));
    expect(must(await createPostgresBackgroundWork({ database: between, url }).stop("shop/dream"))).toBe(
      "removed",
    );
    expect(must(await work.list())).toMatchObject([{ key: "shop/dream", state: "waiting" }]);
  });
});

/** The connection is cut while the first commit goes on; it comes to its end once it was asked about. */
function losingDuringCommit(database: Database): Database {
  return {
    ...database,
    async transaction(change, options) {
      const [worked, asked] = [createGate(), createGate()];
      const first = database.transaction(async (run) => {
        const result = await change(run);
        worked.open();
        await asked.opened;
        return result;
      });
      await worked.opened;
      const second = await database.transaction(
        (run) =>
          change(async (text, values) => {
            const rows = await run<never>(text, values);
            if (text.includes("pg_xact_status")) asked.open();
            return rows;
          }),
        options,
      );
      must(await first);
      return second;
    },
  };
}

/** The connection is cut behind the first commit; meanwhile others do something, then it is sent again. */
function losingBetween(database: Database, meanwhile: () => Promise<unknown>): Database {
  let isLost = false;
  return {
    ...database,
    async transaction(change, options) {
      const first = await database.transaction(change, options);
      if (isLost || !first.ok || !options?.isRepeatable) return first;
      isLost = true;
      await meanwhile();
      return database.transaction(change, options);
    },
  };
}

function createGate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}
