import { expect, it } from "vitest";
import { losingAnswers } from "../../../../../../test/support/postgres/lose-answers.ts";
import { passOnServer } from "../../../../../../test/support/postgres/mail-differential.ts";
import {
  describeOnPostgres,
  openBeside,
  openTestDatabase,
} from "../../../../../../test/support/postgres/use-postgres.ts";
import { mailboxConformance } from "../../../../../testing/src/conformance/mailbox.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock, createVirtualIds } from "../../../../../testing/src/virtual-clock.ts";
import { createVirtualProcesses } from "../../../../../testing/src/virtual-processes.ts";
import { mailNumbers, type RetentionLimits } from "../../../layers/7-agents/mail/rules/index.ts";
import type { Mail, Mailbox } from "../../../spec/index.ts";
import { readerPatienceMs } from "../../shared/mailbox.ts";
import type { Database } from "../database.ts";
import { createPostgresMailbox } from "./mailbox.ts";

const at = "2026-11-15T12:00:00.000Z";
const mailOf = (id: string, from = "ses_a", body: unknown = id): Mail => ({
  id,
  from,
  to: "ses_z",
  at,
  body,
});
const idsOf = (mails: readonly Mail[]) => mails.map(({ id }) => id);
const take = async (mailbox: Mailbox, limit = 10) => must(await mailbox.take("ses_z", limit));

describeOnPostgres("mailbox on Postgres", async () => {
  const database = await openTestDatabase();
  const beside = await openBeside(database);
  const { schema } = database;
  let worlds = 0;

  /** Mailboxes of several processes over one project. */
  function createWorld(limits: Partial<RetentionLimits> = {}) {
    worlds += 1;
    const project = `project-${worlds}`;
    const clock = createVirtualClock();
    const world = createVirtualProcesses();
    let opened = 0;
    const open = (processes = world.spawn(), over: Database = opened % 2 ? beside : database) => {
      opened += 1;
      const ids = createVirtualIds(`w${worlds}-${opened}-`);
      const mailbox = createPostgresMailbox({ database: over, project, clock, ids, processes, limits });
      return { processes, mailbox };
    };
    const pass = (ms: number) => passOnServer(database, project, ms);
    const count = async (table: string) =>
      must(await database.query(`select from ${schema}.${table} where project = $1`, [project])).count;
    return { project, clock, world, open, pass, count };
  }

  const create = async () => {
    const { open } = createWorld();
    return { first: open().mailbox, second: open().mailbox };
  };
  for (const { name, run } of mailboxConformance(create)) it(name, run);

  it("offers what a dead reader had again at once, in order", async () => {
    const { open } = createWorld();
    const [reader, next] = [open(), open()];
    for (const id of ["a1", "a2", "a3"]) must(await next.mailbox.send(mailOf(id)));
    expect(idsOf(await take(reader.mailbox, 2))).toEqual(["a1", "a2"]);
    expect(await take(next.mailbox)).toEqual([]);
    reader.processes.exit();
    expect(idsOf(await take(next.mailbox))).toEqual(["a1", "a2", "a3"]);
  });

  it("offers it again when a reader on another machine has given no sign for too long by the server's time", async () => {
    const { open, world, clock, pass } = createWorld();
    const far = open(world.spawn({ host: "host-2" }));
    const near = open();
    must(await far.mailbox.send(mailOf("a1")));
    expect(idsOf(await take(far.mailbox))).toEqual(["a1"]);
    clock.jump(2 * readerPatienceMs);
    expect(await take(near.mailbox)).toEqual([]);
    await pass(readerPatienceMs + 1000);
    expect(idsOf(await take(far.mailbox))).toEqual(["a1"]);
    expect(await take(near.mailbox), "it has shown that it lives").toEqual([]);
    await pass(readerPatienceMs + 1000);
    expect(idsOf(await take(near.mailbox))).toEqual(["a1"]);
    expect(await take(far.mailbox)).toEqual([]);
    must(await near.mailbox.acknowledge("ses_z", ["a1"]));
    expect([await take(far.mailbox), await take(near.mailbox)]).toEqual([[], []]);
  });

  it("gives a reader that was given up none behind one that another has", async () => {
    const { open, world, pass } = createWorld();
    const far = open(world.spawn({ host: "host-2" }));
    const near = open();
    for (const id of ["a1", "a2"]) must(await near.mailbox.send(mailOf(id)));
    expect(idsOf(await take(far.mailbox))).toEqual(["a1", "a2"]);
    await pass(readerPatienceMs + 1000);
    expect(idsOf(await take(near.mailbox, 1))).toEqual(["a1"]);
    expect(await take(far.mailbox)).toEqual([]);
  });

  it("takes a mail once that is sent again, also after it was acknowledged, as long as mail is kept", async () => {
    const { open, pass, count } = createWorld();
    const [{ mailbox }, other] = [open(), open()];
    for (const box of [mailbox, mailbox, other.mailbox]) must(await box.send(mailOf("a1")));
    expect(idsOf(await take(mailbox))).toEqual(["a1"]);
    must(await mailbox.acknowledge("ses_z", ["a1"]));
    must(await other.mailbox.send(mailOf("a1")));
    expect(await take(mailbox)).toEqual([]);
    must(await other.mailbox.send(mailOf("a1", "ses_b")));
    expect((await take(mailbox)).map(({ id, from }) => [id, from])).toEqual([["a1", "ses_b"]]);
    expect(await count("mail")).toBe(2);
    await pass(mailNumbers.maxAgeMs + 1000);
    must(await other.mailbox.acknowledge("ses_z", ["a1"]));
    must(await other.mailbox.send(mailOf("a2", "ses_c")));
    await take(open().mailbox);
    must(await other.mailbox.send(mailOf("a1")));
    expect(idsOf(await take(open().mailbox))).toEqual(["a1"]);
  });

  it("forgets heads, readers and lanes that nobody needs, and numbers go on growing", async () => {
    const { open, pass, count } = createWorld();
    const { mailbox } = open();
    must(await mailbox.send(mailOf("a1")));
    const [first] = await take(mailbox);
    must(await mailbox.acknowledge("ses_z", ["a1"]));
    await pass(mailNumbers.maxAgeMs + 1000);
    must(await mailbox.send(mailOf("b1", "ses_b")));
    await take(open().mailbox);
    expect([await count("mail"), await count("mail_reader"), await count("mail_lane")]).toEqual([1, 1, 1]);
    must(await mailbox.send(mailOf("a2")));
    const [second] = await take(open().mailbox);
    expect(second?.seq).toBeGreaterThan(first?.seq ?? Number.POSITIVE_INFINITY);
  });

  it("gives the head only of what waited too long, and of what cannot be read", async () => {
    const { open, pass, project } = createWorld();
    const { mailbox } = open();
    must(await mailbox.send(mailOf("a1")));
    await pass(mailNumbers.maxAgeMs + 1000);
    must(await mailbox.send(mailOf("b1", "ses_b")));
    must(
      await database.query(`update ${schema}.mail set content = 'x' where project = $1 and id = 'b1'`, [
        project,
      ]),
    );
    const taken = await take(mailbox);
    const heads = taken.map(({ id, from, body, dropped }) => ({ id, from, body, dropped }));
    expect(heads).toHaveLength(2);
    expect(heads).toEqual(
      expect.arrayContaining([
        { id: "a1", from: "ses_a", body: null, dropped: "expired" },
        { id: "b1", from: "ses_b", body: null, dropped: "unreadable" },
      ]),
    );
    must(await mailbox.acknowledge("ses_z", ["a1", "b1"]));
    expect(await take(mailbox)).toEqual([]);
  });

  it("refuses what is too large and more than it may hold, and takes more once some are read", async () => {
    const { open } = createWorld({ maxWaiting: 3, maxMailBytes: 1000 });
    const { mailbox } = open();
    expect(refused(await mailbox.send(mailOf("big", "ses_a", "x".repeat(1000))))).toBe("too-large");
    for (const id of ["a1", "a2", "a3"]) must(await mailbox.send(mailOf(id)));
    const refusal = await mailbox.send(mailOf("a4"));
    expect(refused(refusal)).toBe("too-large");
    if (!refusal.ok) expect(refusal.error.facts).toEqual({ waiting: 3, maxWaiting: 3 });
    must(await mailbox.send(mailOf("a1")));
    await take(mailbox, 1);
    must(await mailbox.acknowledge("ses_z", ["a1"]));
    must(await mailbox.send(mailOf("a4")));
    expect(idsOf(await take(mailbox))).toEqual(["a2", "a3", "a4"]);
  });

  it("sends what is sent at once in few statements, in order, each with its own outcome", async () => {
    const { open } = createWorld({ maxWaiting: 70 });
    let statements = 0;
    const counting: Database = {
      ...database,
      query: (text, values, options) => {
        if (text.includes(".send_mail")) statements += 1;
        return database.query(text, values, options);
      },
    };
    const { mailbox } = open(undefined, counting);
    const ids = Array.from({ length: 80 }, (_, number) => `a${100 + number}`);
    const sent = await Promise.all(
      ids.map((id, number) => mailbox.send(mailOf(id, number % 3 === 0 ? "ses_b" : "ses_a"))),
    );
    expect(sent.map((one) => one.ok)).toEqual(ids.map((_, number) => number < 70));
    expect(statements).toBe(3);
    const taken = await take(mailbox, 100);
    for (const sender of ["ses_a", "ses_b"]) {
      const numbers = idsOf(taken.filter(({ from }) => from === sender));
      expect(numbers).toEqual(numbers.toSorted());
    }
    expect(idsOf(taken).toSorted()).toEqual(ids.slice(0, 70));
  });

  it("does what is asked of one mailbox in the order of the calls", async () => {
    const { open } = createWorld();
    const { mailbox } = open();
    const calls = [
      mailbox.send(mailOf("a1")),
      take(mailbox),
      mailbox.send(mailOf("a2")),
      mailbox.send(mailOf("a3")),
      take(mailbox),
    ] as const;
    const [, first, , , second] = await Promise.all(calls);
    expect([idsOf(first), idsOf(second)]).toEqual([["a1"], ["a1", "a2", "a3"]]);
  });

  it("gives back hostile bodies as they were", async () => {
    const { open } = createWorld();
    const { mailbox } = open();
    const body = { text: "\0'\"; drop table mail; --\ud800", list: ["é".repeat(100_000), null] };
    must(await mailbox.send(mailOf("a1", "ses_a", body)));
    expect((await take(mailbox))[0]?.body).toEqual(body);
    must(await mailbox.acknowledge("ses_z", ["a1", "\0", "'; --", "\ud800"]));
    expect(await take(mailbox, Number.POSITIVE_INFINITY)).toEqual([]);
    must(await mailbox.send({ ...mailOf("a2"), body: undefined }));
    expect((await take(mailbox, Number.POSITIVE_INFINITY))[0]?.body).toBe(null);
  });

  it("sends, takes, acknowledges and gives back once though every answer is lost", async () => {
    const { open, count } = createWorld();
    const losing = losingAnswers(database);
    const { mailbox } = open(undefined, losing);
    const sane = open().mailbox;
    for (const id of ["a1", "a2", "a3"]) must(await mailbox.send(mailOf(id)));
    expect(await count("mail")).toBe(3);
    expect(idsOf(await take(mailbox, 2))).toEqual(["a1", "a2"]);
    must(await mailbox.acknowledge("ses_z", ["a1"]));
    expect(idsOf(await take(mailbox))).toEqual(["a2", "a3"]);
    expect(await take(sane)).toEqual([]);
    must(await mailbox.release("ses_z"));
    const dying = open();
    expect(idsOf(await take(dying.mailbox))).toEqual(["a2", "a3"]);
    dying.processes.exit();
    expect(idsOf(await take(mailbox)), "what the dead had").toEqual(["a2", "a3"]);
    must(await mailbox.release("ses_z"));
    expect(idsOf(await take(sane))).toEqual(["a2", "a3"]);
    expect(losing.lost()).toBeGreaterThan(8);
  });

  it("gives each of many mails to exactly one of many readers, in order per sender, while they are sent", async () => {
    const { open } = createWorld();
    const [senders, times] = [6, 25];
    const total = senders * times;
    const got: (readonly [string, number])[] = [];
    const sending = Array.from({ length: senders }, async (_, sender) => {
      const { mailbox } = open();
      for (let at = 0; at < times; at += 1)
        must(await mailbox.send(mailOf(`m${sender}-${at}`, `ses_${sender}`, at)));
    });
    const reading = Array.from({ length: 4 }, async () => {
      const { mailbox } = open();
      while (got.length < total) {
        const mails = await take(mailbox, 5);
        for (const { from, body } of mails) got.push([from, body as number]);
        must(await mailbox.acknowledge("ses_z", idsOf(mails)));
      }
    });
    await Promise.all([...sending, ...reading]);
    expect(got.length).toBe(total);
    for (let sender = 0; sender < senders; sender += 1)
      expect(got.filter(([from]) => from === `ses_${sender}`).map(([, at]) => at)).toEqual(
        Array.from({ length: times }, (_, at) => at),
      );
  });

  it("wakes those who wait for this mailbox, over one connection", async () => {
    const { open } = createWorld();
    const watching = await openBeside(database);
    const { mailbox } = open(undefined, watching);
    const other = open(undefined, watching).mailbox;
    const over = new AbortController();
    const heard: string[] = [];
    let tell: () => void = () => undefined;
    const until = (isDone: () => boolean) =>
      new Promise<void>((resolve) => {
        tell = () => isDone() && resolve();
        tell();
      });
    const hear = (what: string) => () => {
      heard.push(what);
      tell();
    };
    mailbox.watch("ses_z", hear("z"), over.signal);
    other.watch("ses_y", hear("y"), over.signal);
    await until(() => heard.includes("z") && heard.includes("y"));
    heard.length = 0;
    must(await open().mailbox.send(mailOf("a1")));
    await until(() => heard.length > 0);
    must(await open().mailbox.send({ ...mailOf("a2"), to: "ses_y" }));
    await until(() => heard.length > 1);
    expect(heard).toEqual(["z", "y"]);
    const listening = must(
      await database.query(
        `select from pg_stat_activity where query = 'listen "palimpsest_mail"' and datname = current_database()`,
      ),
    );
    expect(listening.count).toBe(1);
    over.abort();
    await watching.close();
  });
});
