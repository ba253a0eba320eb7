import { randomBytes } from "node:crypto";
import { afterAll, expect, it } from "vitest";
import { messageDraft, sessionDraft } from "../../../../../test/support/entries.ts";
import { startCuttingProxy } from "../../../../../test/support/postgres/cutting-proxy.ts";
import { startTransactionPooler } from "../../../../../test/support/postgres/transaction-pooler.ts";
import {
  describeOnPostgres,
  openBeside,
  openEmptyDatabase,
  openTestDatabase,
  postgresUrl,
} from "../../../../../test/support/postgres/use-postgres.ts";
import { blobStoreConformance } from "../../../../testing/src/conformance/blob-store.ts";
import { consolidateLockConformance } from "../../../../testing/src/conformance/consolidate-lock.ts";
import { fileTreeConformance } from "../../../../testing/src/conformance/file-tree.ts";
import { learnedStoreConformance } from "../../../../testing/src/conformance/learned-store.ts";
import { leaseStoreConformance } from "../../../../testing/src/conformance/lease-store.ts";
import { logStoreConformance } from "../../../../testing/src/conformance/log-store.ts";
import { mailboxConformance } from "../../../../testing/src/conformance/mailbox.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { projectStoreConformance } from "../../../../testing/src/conformance/project-store.ts";
import { recallIndexConformance } from "../../../../testing/src/conformance/recall-index.ts";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import { createVirtualProcesses } from "../../../../testing/src/virtual-processes.ts";
import { createRuntime } from "../../runtime.ts";
import type { Mail, ProjectStores, Redaction, Result } from "../../spec/index.ts";
import { blobChunkBytes } from "./blob-store.ts";
import type { Database } from "./database.ts";
import { migrations } from "./migrations/index.ts";
import { createPostgresStore } from "./store.ts";
import { openPostgresStores } from "./stores.ts";

const { clock, ids } = createRuntime();
const writer = { pid: 1, host: "virtual", version: "0.0.0" };
const nothing = () => undefined;

/** Stores of one process on the schema of a database that is opened and dropped elsewhere. */
async function openBesideOf(database: Database, url = postgresUrl(), processes = createVirtualProcesses()) {
  const schema = database.schema.slice(1, -1);
  const stores = must(await openPostgresStores({ url, schema, clock, ids, processes, writer }));
  afterAll(() => stores.close());
  return stores;
}

describeOnPostgres("the stores of projects on Postgres, one of two processes behind a pooler", async () => {
  const pooler = await startTransactionPooler(postgresUrl());
  afterAll(() => pooler.close());
  const processes = createVirtualProcesses();
  const database = await openEmptyDatabase();
  const first = await openBesideOf(database, pooler.url, processes);
  const second = await openBesideOf(database, postgresUrl(), processes.spawn());
  const { rows } = must(
    await database.query<{ name: string }>(
      "select tablename as name from pg_tables where schemaname = $1 and tablename <> 'migration'",
      [database.schema.slice(1, -1)],
    ),
  );
  const tables = rows.map(({ name }) => `${database.schema}.${name}`).join(", ");
  const create = async () => {
    must(await database.query(`truncate ${tables}`));
    return { first, second };
  };
  for (const { name, run } of projectStoreConformance(create)) it(name, run);
});

describeOnPostgres("every port of a store on Postgres, behind a pooler", async () => {
  const pooler = await startTransactionPooler(postgresUrl());
  const database = await openTestDatabase({ url: pooler.url });
  const beside = await openBeside(database, { url: pooler.url });
  afterAll(async () => {
    await Promise.all([database.close(), beside.close()]);
    await pooler.close();
  });

  function two() {
    const project = `p-${randomBytes(6).toString("hex")}`;
    const virtual = createVirtualClock();
    const processes = createVirtualProcesses();
    const parts = { project, clock: virtual, ids, writer };
    const first = createPostgresStore({ ...parts, database, processes });
    const second = createPostgresStore({ ...parts, database: beside, processes: processes.spawn() });
    return { first, second, virtual, processes };
  }
  const both = <T>(pick: (store: ReturnType<typeof createPostgresStore>) => T) => {
    const { first, second } = two();
    return Promise.resolve({ first: pick(first), second: pick(second) });
  };

  const suites = {
    logs: logStoreConformance(async () => two().first.logs),
    blobs: blobStoreConformance(() => both(({ blobs }) => blobs)),
    leases: leaseStoreConformance(() => both(({ leases }) => leases)),
    tree: fileTreeConformance(() => both((store) => store.tree("memory"))),
    mailbox: mailboxConformance(() => both(({ mailbox }) => mailbox)),
    recall: recallIndexConformance(() => both(({ recallIndex }) => recallIndex)),
    learned: learnedStoreConformance(async () => {
      must(await database.query(`delete from ${database.schema}.learned`));
      return both(({ learned }) => learned);
    }),
    lock: consolidateLockConformance(async () => {
      const { first, second, virtual, processes } = two();
      return {
        first: first.consolidateLock,
        second: second.consolidateLock,
        endFirst: () => processes.exit(),
        now: () => virtual.now(),
        pass: (ms) => virtual.jump(ms),
      };
    }),
  };
  for (const [port, cases] of Object.entries(suites))
    for (const { name, run } of cases) it(`${port}: ${name}`, run);
});

describeOnPostgres("stores on Postgres whose connections are cut", async () => {
  const proxy = await startCuttingProxy(postgresUrl());
  const database = await openEmptyDatabase();
  const stores = await openBesideOf(database, proxy.url);
  afterAll(() => proxy.close());
  const disturb = {
    "are cut": () => void proxy.cut(),
    "lose an answer": () => proxy.loseAnswers(1),
  };

  it.each(Object.entries(disturb))("do all of it once when they %s before every step", async (_how, hurt) => {
    const store = stores.store(`p-${randomBytes(6).toString("hex")}`);
    const step = async <T>(work: () => Promise<Result<T>>): Promise<T> => {
      hurt();
      return must(await work());
    };
    const log = await step(() => store.logs.create(sessionDraft("ses_a")));
    for (const text of ["one", "two"]) {
      await step(() => log.append([messageDraft(text)]));
      await step(() => log.flush());
    }
    await step(() => log.close());
    const texts: unknown[] = [];
    await step(() =>
      store.logs.scan("ses_a", (entry) => entry.kind === "message" && texts.push(entry.message.content)),
    );
    expect(texts).toEqual(["one", "two"]);

    const tree = store.tree("memory");
    await step(() => tree.write("a.md", "first", { author: "user", expect: 0 }));
    await step(() => tree.write("a.md", "second", { author: "user", expect: 1 }));
    expect((await step(() => tree.history("a.md"))).length).toBe(2);

    const mail: Mail = {
      id: "m1",
      from: "ses_b",
      to: "ses_a",
      at: new Date(0).toISOString(),
      seq: 0,
      body: "hi",
    };
    await step(() => store.mailbox.send(mail));
    expect((await step(() => store.mailbox.take("ses_a", 5))).map(({ id }) => id)).toEqual(["m1"]);
    await step(() => store.mailbox.acknowledge("ses_a", ["m1"]));
    expect(await step(() => store.mailbox.take("ses_a", 5))).toEqual([]);

    const lease = await step(() => store.leases.acquire("thing"));
    expect((await step(() => store.leases.holder("thing")))?.token).toBe(lease.token);
    await step(() => lease.release());
    expect(await step(() => store.leases.holder("thing"))).toBeNull();
  });
});

describeOnPostgres("opening stores on Postgres", async () => {
  it("is refused by a schema that is newer, and leaves it as it is", async () => {
    const database = await openTestDatabase();
    const newer = migrations.length + 1;
    must(await database.query(`insert into ${database.schema}.migration values ($1, 'later')`, [newer]));
    const schema = database.schema.slice(1, -1);
    const processes = createVirtualProcesses();
    const opened = await openPostgresStores({ url: postgresUrl(), schema, clock, ids, processes, writer });
    expect(refused(opened)).toBe("newer-format");
  });

  it("says that the server is away, without the password", async () => {
    const url = "postgres://someone:hush-hush@127.0.0.1:1/nowhere?password=hush-hush";
    const processes = createVirtualProcesses();
    const opened = await openPostgresStores({ url, clock, ids, processes, writer, firstPatienceMs: 50 });
    expect(refused(opened)).toBe("disconnected");
    expect(JSON.stringify(opened)).not.toContain("hush-hush");
  });
});

describeOnPostgres("a secret on Postgres", async () => {
  const secret = "hush-4711-hush";
  const redaction: Redaction = {
    forms: [{ secret, replacement: "[GONE]" }],
    needles: [Buffer.from(secret)],
  };
  const open = async (): Promise<ProjectStores> => openBesideOf(await openEmptyDatabase());

  it("is found wherever it stands, on the seam of two chunks of a blob too", async () => {
    const stores = await open();
    const [one, other] = [stores.store("one"), stores.store("other")];
    for (const session of ["ses_a", "ses_b"])
      must(await must(await other.logs.create(sessionDraft(session))).close());
    const log = must(await other.logs.open("ses_b", nothing));
    must(await log.append([messageDraft(secret)]));
    must(await log.close());
    const split = Buffer.alloc(blobChunkBytes + 100, "x");
    split.write(secret, blobChunkBytes - 5);
    const { blob } = must(await other.blobs.put("ses_b", split));
    must(await other.notesCopies.write("ses_b", `see ${secret}`));
    must(await other.notesCopies.write("ses_a", `see ${secret}`));
    must(await one.tree("memory").write("é.md", secret, { author: "user" }));
    must(await one.tree("memory").write("é.md", "clean", { author: "user" }));
    const at = new Date(0).toISOString();
    must(await one.mailbox.send({ id: "m1", from: "ses_x", to: "ses_y", at, seq: 0, body: secret }));
    const except = { project: "other", session: "ses_a" };
    const found = must(await stores.findSecret(redaction, { except }));
    expect(found.map((address) => address.slice(address.indexOf("#")))).toEqual([
      "#other/ses_b",
      `#other/ses_b/${blob}`,
      "#other/ses_b/notes",
      "#one/memory/é.md@1",
      "#one/mail/ses_y/m1",
    ]);
    expect(
      must(await stores.findSecret(redaction, { except: { project: "one", session: "ses_b" } })),
    ).toHaveLength(6);
    expect(must(await stores.projects())).toEqual(["one", "other"]);
  });

  it("is taken out of the notes, which go with their session", async () => {
    const store = (await open()).store("one");
    must(await must(await store.logs.create(sessionDraft("ses_a"))).close());
    must(await store.notesCopies.write("ses_a", `it is ${secret}`));
    const address = expect.stringMatching(/#one\/ses_a\/notes$/);
    expect(must(await store.upkeep.redact("ses_a", redaction)).notes).toEqual([address]);
    expect(must(await store.upkeep.survey("ses_a", redaction)).isClean).toBe(true);
    const { parts } = must(await store.sessions.footprint("ses_a"));
    expect(parts.find(({ kind }) => kind === "notes")).toEqual({ kind: "notes", address, bytes: 12 });
    must(await store.logs.remove("ses_a", "for a test"));
    expect(must(await store.sessions.footprint("ses_a"))).toEqual({ parts: [], bytes: 0 });
  });
});
