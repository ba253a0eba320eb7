import { afterAll, expect, it } from "vitest";
import { createRuntime } from "../../packages/core/src/runtime.ts";
import { ok } from "../../packages/core/src/spec/index.ts";
import { openDatabase } from "../../packages/core/src/stores/postgres/database.ts";
import { must, refused } from "../../packages/testing/src/conformance/outcomes.ts";
import { startCuttingProxy } from "../support/postgres/cutting-proxy.ts";
import { startTransactionPooler } from "../support/postgres/transaction-pooler.ts";
import { describeOnPostgres, openEmptyDatabase, postgresUrl } from "../support/postgres/use-postgres.ts";

const { clock } = createRuntime();

describeOnPostgres("connections that are cut", async () => {
  const direct = await openEmptyDatabase();
  const { schema } = direct;
  must(await direct.query(`create schema ${schema}`));
  must(await direct.query(`create table ${schema}.thing (id text primary key)`));
  const proxy = await startCuttingProxy(postgresUrl());
  const database = must(
    await openDatabase({ url: proxy.url, clock, schema: schema.slice(1, -1), patienceMs: 20_000 }),
  );
  afterAll(async () => {
    await database.close();
    await proxy.close();
  });
  const ids = async () =>
    must(await direct.query<{ id: string }>(`select id from ${schema}.thing order by id`)).rows.map(
      ({ id }) => id,
    );

  it("are opened again by the next statement, when they were idle", async () => {
    must(await database.query("select 1"));
    expect(proxy.cut()).toBeGreaterThan(0);
    must(await database.query("select 1", [], { isRepeatable: true }));
  });

  it("leave it open whether a statement was done: it says so, or is repeated where that is safe", async () => {
    must(await database.query("select 1"));
    const insert = `insert into ${schema}.thing values ($1) on conflict do nothing`;
    proxy.loseAnswers(1);
    const lost = await database.query(insert, ["once"]);
    expect(refused(lost)).toBe("disconnected");
    proxy.loseAnswers(1);
    must(await database.query(insert, ["repeated"], { isRepeatable: true }));
    expect(await ids()).toEqual(["once", "repeated"]);
  });

  it("are waited for while the server is away", async () => {
    proxy.setRefusing(true);
    proxy.cut();
    const waiting = database.transaction(async (run) => {
      await run(`insert into ${schema}.thing values ('waited')`);
      return ok();
    });
    // The first try has failed once the proxy has hung up on it; it is tried again from then on.
    proxy.setRefusing(false);
    must(await waiting);
    expect(await ids()).toContain("waited");
  });
});

describeOnPostgres("a pooler in transaction mode", async () => {
  const direct = await openEmptyDatabase();
  const { schema } = direct;
  must(await direct.query(`create schema ${schema}`));
  must(await direct.query(`create table ${schema}.thing (id int)`));
  const pooler = await startTransactionPooler(postgresUrl());
  const database = must(
    await openDatabase({ url: pooler.url, clock, schema: schema.slice(1, -1), maxConnections: 10 }),
  );
  afterAll(async () => {
    await database.close();
    await pooler.close();
  });

  it("gives each transaction another connection of the server's", async () => {
    const pids = new Set<number>();
    for (let count = 0; count < pooler.backends; count += 1) {
      const { rows } = must(await database.query<{ pid: number }>("select pg_backend_pid() as pid"));
      pids.add(rows[0]?.pid ?? 0);
    }
    expect(pids.size).toBe(pooler.backends);
  });

  it("keeps a transaction on one connection, among many at once", async () => {
    const work = Array.from({ length: 40 }, (_, index) =>
      database.transaction(async (run) => {
        const pids = new Set<unknown>();
        for (let count = 0; count < 3; count += 1) {
          const { rows } = await run<{ pid: number }>("select pg_backend_pid() as pid");
          pids.add(rows[0]?.pid);
        }
        await run(`insert into ${schema}.thing values ($1)`, [index]);
        return ok(pids.size);
      }),
    );
    for (const one of await Promise.all(work)) expect(must(one)).toBe(1);
    expect(must(await direct.query(`select * from ${schema}.thing`)).count).toBe(40);
  });
});
