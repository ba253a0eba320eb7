import { expect, it } from "vitest";
import {
  describeOnPostgres,
  openBeside,
  openEmptyDatabase,
} from "../../../../../test/support/postgres/use-postgres.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { createRuntime } from "../../runtime.ts";
import { ok } from "../../spec/index.ts";
import { openDatabase } from "./database.ts";

describeOnPostgres("a database", async () => {
  const database = await openEmptyDatabase({ patienceMs: 5_000 });
  const { schema } = database;
  must(await database.query(`create schema ${schema}`));
  must(await database.query(`create table ${schema}.thing (id int primary key, amount bigint not null)`));

  const cutMe = "select pg_terminate_backend(pg_backend_pid())";

  it("gives whole numbers as numbers", async () => {
    const { rows, count } = must(await database.query("select 9007199254740991::bigint as most"));
    expect({ rows, count }).toEqual({ rows: [{ most: 9007199254740991 }], count: 1 });
  });

  it("undoes a transaction that gives a failure, and one that throws", async () => {
    const insert = `insert into ${schema}.thing values (1, 1)`;
    const failed = await database.transaction(async (run) => {
      await run(insert);
      return { ok: false, error: refusedOf("no") };
    });
    expect(failed.ok).toBe(false);
    const thrown = await database.transaction(async (run) => {
      await run(insert);
      await run("select nothing_like_this");
      return ok();
    });
    expect(refused(thrown)).toBe("io");
    expect(must(await database.query(`select * from ${schema}.thing`)).count).toBe(0);
  });

  it("does a transaction again that was cut before its commit, and nothing is doubled", async () => {
    let tries = 0;
    const done = await database.transaction(async (run) => {
      tries += 1;
      await run(`insert into ${schema}.thing values (2, 1)`);
      if (tries === 1) await run(cutMe);
      return ok("done");
    });
    expect([must(done), tries]).toEqual(["done", 2]);
    expect(must(await database.query(`select * from ${schema}.thing where id = 2`)).count).toBe(1);
  });

  it("does not send a statement again whose outcome is unknown, unless it says that it may", async () => {
    const lost = await database.query(cutMe);
    expect(refused(lost)).toBe("disconnected");
    if (!lost.ok) expect(lost.error.facts).toMatchObject({ outcome: "unknown" });
    let sent = 0;
    const repeated = await database.transaction(
      async (run) => {
        sent += 1;
        if (sent === 1) await run(cutMe);
        return ok(sent);
      },
      { isRepeatable: true },
    );
    expect(must(repeated)).toBe(2);
  });

  it("does a transaction again after a deadlock or a conflict of serializable work", async () => {
    must(await database.query(`insert into ${schema}.thing values (10, 0), (11, 0)`));
    const other = await openBeside(database);
    let arrived = 0;
    let meet: () => void = () => undefined;
    const together = new Promise<void>((resolve) => {
      meet = resolve;
    });
    const add = (handle: typeof database, order: readonly number[]) =>
      handle.transaction(async (run) => {
        for (const [at, id] of order.entries()) {
          await run(`update ${schema}.thing set amount = amount + 1 where id = $1`, [id]);
          if (at > 0) continue;
          arrived += 1;
          if (arrived === 2) meet();
          if (arrived <= 2) await together;
        }
        return ok();
      });
    const both = await Promise.all([add(database, [10, 11]), add(other, [11, 10])]);
    for (const one of both) must(one);
    const { rows } = must(
      await database.query(`select amount from ${schema}.thing where id >= 10 order by id`),
    );
    expect(rows).toEqual([{ amount: 2 }, { amount: 2 }]);
    expect(arrived).toBeGreaterThan(2);
  });

  it("says that a statement was stopped for its time, and goes on", async () => {
    const slow = await database.transaction(async (run) => {
      await run("set local statement_timeout = 20");
      await run("select pg_sleep(30)");
      return ok();
    });
    expect(refused(slow)).toBe("timeout");
    must(await database.query("select 1"));
  });

  it("waits for a connection of a pool that is used up, and says so when none comes", async () => {
    const narrow = await openBeside(database, { maxConnections: 1, connectMs: 2_000, patienceMs: 100 });
    let release: () => void = () => undefined;
    let begin: () => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const held = narrow.transaction(async () => {
      await new Promise<void>((resolve) => {
        release = resolve;
        begin();
      });
      return ok();
    });
    await begun;
    const refusal = await narrow.query("select 1");
    expect(refused(refusal)).toBe("overloaded");
    release();
    must(await held);
    must(await narrow.query("select 1"));
  });

  it("hears what is notified, also after its connection was cut", async () => {
    const stopping = new AbortController();
    const heard: string[] = [];
    let tell: () => void = () => undefined;
    const until = (payload: string) =>
      new Promise<void>((resolve) => {
        tell = () => heard.includes(payload) && resolve();
        tell();
      });
    database.listen(
      "palimpsest_test",
      (payload) => {
        heard.push(payload);
        tell();
      },
      stopping.signal,
    );
    await until("");
    must(await database.query("select pg_notify('palimpsest_test', 'one')"));
    await until("one");
    heard.length = 0;
    must(
      await database.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen \"palimpsest_test\"'",
      ),
    );
    await until("");
    must(await database.query("select pg_notify('palimpsest_test', 'two')"));
    await until("two");
    stopping.abort();
  });

  it("refuses after closing, and closes twice without harm", async () => {
    const other = await openBeside(database);
    must(await other.query("select 1"));
    await other.close();
    await other.close();
    expect(refused(await other.query("select 1"))).toBe("closed");
  });
});

describeOnPostgres("an address that leads nowhere", () => {
  it.each([
    ["a port that nobody listens on", "postgres://palimpsest:secret@127.0.0.1:1/postgres", "disconnected"],
  ])("is an error that names it without its password: %s", async (_what, url, code) => {
    const { clock } = createRuntime();
    const database = must(await openDatabase({ url, clock, patienceMs: 50 }));
    const refusal = await database.query("select 1");
    expect(refused(refusal)).toBe(code);
    expect(database.address).toBe("postgres://palimpsest:***@127.0.0.1:1/postgres");
    if (!refusal.ok) expect(`${refusal.error.message} ${refusal.error.fix}`).not.toContain("secret");
    await database.close();
  });

  it("is refused at once where the schema has no name for a schema", async () => {
    const { clock } = createRuntime();
    expect(refused(await openDatabase({ url: "postgres://x/y", clock, schema: 'a"; drop' }))).toBe(
      "invalid-input",
    );
  });
});

function refusedOf(message: string) {
  const result = { code: "conflict", message } as never;
  return result;
}
