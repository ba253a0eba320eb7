import { describe, expect, it } from "vitest";
import { messageDraft, sessionDraft } from "../../../../../../test/support/entries.ts";
import { losingAnswers } from "../../../../../../test/support/postgres/lose-answers.ts";
import { createPostgresSessions } from "../../../../../../test/support/postgres/postgres-sessions.ts";
import {
  describeOnPostgres,
  openBeside,
  openTestDatabase,
} from "../../../../../../test/support/postgres/use-postgres.ts";
import { createVirtualStore, logPath } from "../../../../../../test/support/virtual-store.ts";
import { logStoreConformance } from "../../../../../testing/src/conformance/log-store.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../../../../testing/src/virtual-processes.ts";
import type { Entry, LogStore, LogWriter } from "../../../spec/index.ts";

const nothing = () => undefined;

async function textsIn(logs: LogStore, session = "one"): Promise<readonly unknown[]> {
  const texts: unknown[] = [];
  must(await logs.scan(session, (entry) => entry.kind === "message" && texts.push(entry.message.content)));
  return texts;
}

async function started(logs: LogStore, ...texts: readonly string[]): Promise<LogWriter> {
  const writer = must(await logs.create(sessionDraft("one")));
  must(await writer.append(texts.map(messageDraft)));
  return writer;
}

async function grow(logs: LogStore): Promise<void> {
  const writer = must(await logs.open("one", nothing));
  must(await writer.append([messageDraft("more")]));
  must(await writer.close());
}

describeOnPostgres("Postgres log store", async () => {
  const database = await openTestDatabase();
  for (const { name, run } of logStoreConformance(async () => createPostgresSessions({ database }).logs))
    it(name, run);
});

describeOnPostgres("Postgres log store, every answer lost once", async () => {
  const database = losingAnswers(await openTestDatabase());
  for (const { name, run } of logStoreConformance(async () => createPostgresSessions({ database }).logs))
    it(name, run);
});

describeOnPostgres("Postgres log", async () => {
  const database = await openTestDatabase();
  const beside = await openBeside(database);
  const { schema } = database;

  /** Two machines on one storage: neither can tell whether the other's processes live. */
  function twoMachines() {
    const processes = createVirtualProcesses();
    const here = createPostgresSessions({ database, processes });
    const elsewhere = processes.spawn({ host: "host-2" });
    const there = createPostgresSessions({ database: beside, project: here.project, processes: elsewhere });
    return { here, there };
  }

  const silence = async (project: string) =>
    must(
      await database.query(
        `update ${schema}.lease set heartbeat_at = heartbeat_at - interval '61 s' where project = $1`,
        [project],
      ),
    );

  const logId = async (project: string): Promise<number> => {
    const found = await database.query<{ id: number }>(`select id from ${schema}.log where project = $1`, [
      project,
    ]);
    return must(found).rows[0]?.id ?? 0;
  };

  it("refuses what a writer sends that was taken over, and nothing of it can be read", async () => {
    const { here, there } = twoMachines();
    const former = await started(here.logs, "before");
    await silence(here.project);
    const seen: Entry[] = [];
    const writer = must(await there.logs.open("one", (entry) => seen.push(entry), { takeOver: true }));
    expect(refused(await former.append([messageDraft("late")]))).toBe("fenced");
    must(await writer.append([messageDraft("after")]));
    expect(refused(await former.append([messageDraft("later")]))).toBe("fenced");
    expect([seen.length, await textsIn(here.logs)]).toEqual([2, ["before", "after"]]);
    must(await former.close());
    must(await writer.append([messageDraft("still mine")]));
    expect(must(await here.logs.scan("one", nothing))).toMatchObject({ fencedLines: 0, corruptLines: 0 });
  });

  it("lets a writer on that was not yet fenced when the lease was taken, and the new one reads it", async () => {
    const { here, there } = twoMachines();
    const former = await started(here.logs);
    await silence(here.project);
    must(await there.leases.acquire("one", { takeOver: true }));
    must(await former.append([messageDraft("in time")]));
    await silence(here.project);
    must(await here.logs.open("one", nothing, { takeOver: true }));
    expect(refused(await former.append([messageDraft("late")]))).toBe("fenced");
    expect(await textsIn(here.logs)).toEqual(["in time"]);
  });

  it("keeps the order of 200 appends at once, in few statements", async () => {
    let statements = 0;
    const counting = {
      ...database,
      query: ((text, values, options) => {
        if (text.includes(".append_entr")) statements += 1;
        return database.query(text, values, options);
      }) as typeof database.query,
    };
    const { logs } = createPostgresSessions({ database: counting });
    const writer = await started(logs);
    statements = 0;
    const texts = Array.from({ length: 200 }, (_, index) => `text ${index}`);
    const appended = await Promise.all(texts.map((text) => writer.append([messageDraft(text)])));
    const positions = appended.map((one) => must(one)[0]?.place ?? 0);
    expect(positions).toEqual(positions.toSorted((a, b) => a - b));
    expect(await textsIn(logs)).toEqual(texts);
    expect(statements).toBe(2);
  });

  it("has the same bytes and places as a file", async () => {
    const disk = createVirtualDisk();
    const files = createVirtualStore({ disk });
    const { logs, project } = createPostgresSessions({ database });
    for (const store of [files.logs, logs]) {
      const draft = { ...messageDraft("a\0\ud800"), id: "msg_1", at: "2026-01-01T00:00:00.000Z" };
      const writer = must(await store.create(sessionDraft("one")));
      must(await writer.append([draft, { ...draft, id: "msg_2" }]));
      must(await writer.close());
    }
    const { rows } = must(
      await database.query<{ line: Buffer; place: number }>(
        `select place, line from ${schema}.entry where log_id = $1 order by place`,
        [await logId(project)],
      ),
    );
    const file = Buffer.from(disk.readWhole(logPath("one")));
    const lines = Buffer.concat(rows.map(({ line }) => line));
    const behindHeader = (bytes: Buffer) => bytes.subarray(bytes.indexOf("\n") + 1);
    expect(behindHeader(lines)).toEqual(behindHeader(file));
    expect(rows.at(-1)?.place).toBe(lines.length - (rows.at(-1)?.line.length ?? 0));
  });

  it("is cut off again and again while it appends, and writes everything once", async () => {
    const cutting = await openBeside(database);
    const cuts: ReturnType<typeof database.query>[] = [];
    const { logs } = createPostgresSessions({
      database: {
        ...cutting,
        query(text, values, options) {
          const answer = cutting.query<never>(`${text} -- cut`, values, options);
          cuts.push(
            database.query(
              `select pg_terminate_backend(pid) from pg_stat_activity
               where query like '%-- cut' and query like $1`,
              [`%${schema}%`],
            ),
          );
          return answer;
        },
      },
    });
    const writer = await started(logs);
    const texts = Array.from({ length: 20 }, (_, index) => `text ${index}`);
    for (const text of texts) must(await writer.append([messageDraft(text)]));
    expect(await textsIn(logs)).toEqual(texts);
    const counts = (await Promise.all(cuts)).map((cut) => must(cut).count);
    expect(Math.max(...counts)).toBeGreaterThan(0);
  });

  it("takes nothing of an append that was refused, and goes on", async () => {
    let refuses = false;
    const { logs } = createPostgresSessions({
      database: {
        ...database,
        query: (text, values, options) =>
          refuses && text.includes(".append_entr")
            ? database.query("select 1/0")
            : database.query(text, values, options),
      },
    });
    const writer = await started(logs);
    refuses = true;
    expect(refused(await writer.append([messageDraft("lost")]))).toBe("io");
    refuses = false;
    must(await writer.append([messageDraft("kept")]));
    must(await writer.close());
    expect(await textsIn(logs)).toEqual(["kept"]);
  });

  it("begins a session under the lease that others had before, and under one whose holder is dead", async () => {
    const processes = createVirtualProcesses();
    const here = createPostgresSessions({ database, processes });
    for (const name of ["one", "two"]) {
      const lease = must(await here.leases.acquire(name));
      if (name === "one") must(await lease.release());
    }
    expect(refused(await here.logs.create(sessionDraft("two")))).toBe("held");
    processes.exit();
    const next = processes.spawn();
    const { logs } = createPostgresSessions({ database, project: here.project, processes: next });
    for (const name of ["one", "two"]) {
      const writer = must(await logs.create(sessionDraft(name)));
      const epochs: number[] = [];
      must(await logs.scan(name, ({ epoch }) => epochs.push(epoch)));
      expect([writer.epoch, ...epochs]).toEqual([2, 2]);
      expect(refused(await logs.create(sessionDraft(name)))).toBe("held");
      must(await writer.close());
      expect(refused(await logs.create(sessionDraft(name)))).toBe("exists");
    }
  });

  describe("opens a session that is not any more what was read of it", () => {
    /** Does `between` after the log was read, before it is taken. */
    function opening(project: string, between: () => Promise<unknown>) {
      let isRead = false;
      const query: typeof database.query = async <Row extends object>(
        ...[text, values, options]: Parameters<typeof database.query>
      ) => {
        const answer = await database.query<Row>(text, values, options);
        if (!isRead && text.includes(".look_at_log")) {
          isRead = true;
          await between();
        }
        return answer;
      };
      return createPostgresSessions({ database: { ...database, query }, project });
    }

    async function texts(logs: LogStore): Promise<readonly unknown[]> {
      const seen: unknown[] = [];
      const visit = (entry: Entry) => entry.kind === "message" && seen.push(entry.message.content);
      const writer = must(await logs.open("one", visit));
      must(await writer.append([messageDraft("last")]));
      must(await writer.close());
      return seen;
    }

    it.each<[string, (logs: LogStore) => Promise<unknown>, readonly unknown[]]>([
      ["it has grown", grow, ["before", "more"]],
      [
        "its lease was taken and given back",
        async (logs) => must(await must(await logs.open("one", nothing)).close()),
        ["before"],
      ],
    ])("since %s", async (_, between, seen) => {
      const { logs, project } = createPostgresSessions({ database });
      must(await (await started(logs, "before")).close());
      const late = opening(project, () => between(logs));
      expect(await texts(late.logs)).toEqual(seen);
      expect(await textsIn(logs)).toEqual([...seen, "last"]);
    });

    it("since it was removed", async () => {
      const { logs, leases, project } = createPostgresSessions({ database });
      must(await (await started(logs, "before")).close());
      const late = opening(project, async () => must(await logs.remove("one", "over")));
      expect(refused(await late.logs.open("one", nothing))).toBe("collected");
      expect(must(await leases.holder("one"))).toBeNull();
    });

    it("since somebody has opened it", async () => {
      const { here, there } = twoMachines();
      must(await (await started(here.logs, "before")).close());
      const late = opening(here.project, () => there.logs.open("one", nothing));
      expect(refused(await late.logs.open("one", nothing))).toBe("held");
    });
  });

  it("opens what is longer than a look, and what needs more than one", async () => {
    const { logs, project } = createPostgresSessions({ database });
    const long = Array.from({ length: 12 }, (_, number) => `${number}${"x".repeat(100_000)}`);
    must(await (await started(logs, ...long)).close());
    const seen: Entry[] = [];
    const writer = must(await logs.open("one", (entry) => seen.push(entry)));
    expect([seen.length, writer.report.lastSeq]).toEqual([13, 13]);
    must(await writer.close());
    must(await database.query(`update ${schema}.log set listing = '{}' where project = $1`, [project]));
    must(await must(await logs.open("one", nothing)).close());
    expect(must(await logs.list())).toMatchObject([
      { session: "one", firstPrompt: expect.stringMatching(/^0x+$/) },
    ]);
  });

  it("batches at relaxed until it is flushed", async () => {
    const { logs } = createPostgresSessions({ database });
    const writer = must(await logs.create(sessionDraft("one"), { durability: "relaxed" }));
    const [first] = must(await writer.append([messageDraft("a")]));
    must(await writer.append([messageDraft("b")]));
    expect(await textsIn(logs)).toEqual([]);
    must(await writer.flush());
    expect(await textsIn(logs)).toEqual(["a", "b"]);
    expect(must(await logs.read("one", first?.place ?? 0))).toEqual(first?.entry);
  });

  it("says that the session is gone to a writer whose log was removed", async () => {
    const { logs, project } = createPostgresSessions({ database });
    const writer = await started(logs);
    must(await database.query(`delete from ${schema}.log where project = $1`, [project]));
    expect(refused(await writer.append([messageDraft("late")]))).toBe("not-found");
  });

  it("counts the epoch on when leases were forgotten", async () => {
    const { logs, project } = createPostgresSessions({ database });
    const former = await started(logs);
    must(await former.close());
    must(await database.query(`delete from ${schema}.lease where project = $1`, [project]));
    const writer = must(await logs.open("one", nothing));
    expect(writer.epoch).toBeGreaterThan(former.epoch);
    must(await writer.append([messageDraft("on")]));
  });

  it("refuses to write to a log of a newer format, and reads it", async () => {
    const { logs, project } = createPostgresSessions({ database });
    must(await (await started(logs, "a")).close());
    must(await database.query(`update ${schema}.log set format = 2 where project = $1`, [project]));
    expect(refused(await logs.open("one", nothing))).toBe("newer-format");
    expect(await textsIn(logs)).toEqual(["a"]);
  });

  it.each([
    ["other bytes", "line = set_byte(line, 40, get_byte(line, 40) # 1)"],
    ["NUL bytes", "line = decode(repeat('00', length(line) - 1), 'hex') || '\\x0a'::bytea"],
    ["a newline in its middle", "line = set_byte(line, 50, 10)"],
  ])("reports damage as a log in a file does: %s", async (_what, change) => {
    const { logs, project } = createPostgresSessions({ database });
    const appended = ["a", "b", "c"].map(messageDraft);
    const writer = must(await logs.create(sessionDraft("one")));
    const [, second] = must(await writer.append(appended));
    must(await writer.close());
    const id = await logId(project);
    must(
      await database.query(`update ${schema}.entry set ${change} where log_id = $1 and place = $2`, [
        id,
        second?.place,
      ]),
    );
    const { rows } = must(
      await database.query<{ line: Buffer }>(
        `select line from ${schema}.entry where log_id = $1 order by place`,
        [id],
      ),
    );
    const disk = createVirtualDisk();
    const files = createVirtualStore({ disk });
    must(await must(await files.logs.create(sessionDraft("one"))).close());
    disk.writeWhole(logPath("one"), Buffer.concat(rows.map(({ line }) => line)));
    expect(await textsIn(logs)).toEqual(["a", "c"]);
    expect(must(await logs.scan("one", nothing))).toEqual(must(await files.logs.scan("one", nothing)));
    const opened = must(await logs.open("one", nothing));
    const { asides, ...report } = opened.report;
    const { asides: _asides, ...inFile } = must(await files.logs.open("one", nothing)).report;
    expect([report, asides]).toEqual([inFile, [expect.stringMatching(/#test-.*\/one\.corrupt$/)]]);
    expect(must(await logs.list())[0]?.problem).toMatch(/damaged line/);
    const kept = await database.query(`select content from ${schema}.aside where project = $1`, [project]);
    expect(must(kept).count).toBe(report.damages.length);
  });

  it("reports rows that are gone as bytes that cannot be read", async () => {
    const { logs, project } = createPostgresSessions({ database });
    const writer = must(await logs.create(sessionDraft("one")));
    const appended = must(await writer.append(["a", "b", "c"].map(messageDraft)));
    must(await writer.close());
    const [, second, third] = appended.map(({ place }) => place);
    must(
      await database.query(`delete from ${schema}.entry where log_id = $1 and place = $2`, [
        await logId(project),
        second,
      ]),
    );
    const bytes = (third ?? 0) - (second ?? 0);
    expect(must(await logs.scan("one", nothing))).toMatchObject({
      entries: 3,
      corruptLines: 1,
      corruptBytes: bytes,
      damages: [{ kind: "corrupt", offset: second, bytes }],
    });
    must(await must(await logs.open("one", nothing)).append([messageDraft("d")]));
    expect(await textsIn(logs)).toEqual(["a", "c", "d"]);
  });

  it("reads a log of many pages, whole and in parts", async () => {
    const { logs } = createPostgresSessions({ database });
    const texts = Array.from({ length: 30 }, (_, index) => `${index} ${"x".repeat(index * 20_000)}`);
    const writer = await started(logs, ...texts);
    expect(await textsIn(logs)).toEqual(texts);
    const { end } = must(await logs.scan("one", nothing, { limit: 20 }));
    const rest: number[] = [];
    must(await logs.scan("one", (entry) => rest.push(entry.seq), { from: end }));
    expect(rest).toEqual(Array.from({ length: 11 }, (_, index) => index + 21));
    must(await writer.close());
  });

  it("keeps a session whose fork is being written to, and takes the fork along later", async () => {
    const { logs, blobs, project } = createPostgresSessions({ database });
    must(await (await started(logs, "a")).close());
    const fork = must(await logs.create(sessionDraft("one/fork")));
    const { blob } = must(await blobs.put("one", Buffer.from("text")));
    expect(refused(await logs.remove("one", "test"))).toBe("held");
    must(await fork.close());
    must(await logs.remove("one", "test"));
    expect(refused(await logs.scan("one/fork", nothing))).toBe("collected");
    expect(refused(await blobs.get("one", blob))).toBe("collected");
    for (const table of ["log", "lease", "blob", "blob_chunk"])
      expect(
        must(await database.query(`select 1 from ${schema}.${table} where project = $1`, [project])).count,
      ).toBe(0);
    must(await (await started(logs, "again")).close());
    expect(await textsIn(logs)).toEqual(["again"]);
  });

  it("keeps projects apart", async () => {
    const one = createPostgresSessions({ database });
    const other = createPostgresSessions({ database: beside });
    await started(one.logs, "mine");
    await started(other.logs, "yours");
    expect([await textsIn(one.logs), await textsIn(other.logs)]).toEqual([["mine"], ["yours"]]);
    expect(must(await one.logs.list()).map(({ session }) => session)).toEqual(["one"]);
    expect(must((await one.logs.sizes?.()) as never)).toHaveLength(1);
  });
});
