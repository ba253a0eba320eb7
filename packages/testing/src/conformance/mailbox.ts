import assert from "node:assert/strict";
import type { Mail, Mailbox } from "@palimpsest/core/spec";
import { type ConformanceCase, must, refused } from "./outcomes.ts";

const at = "2026-11-15T12:00:00.000Z";
const mailOf = (id: string, from = "ses_a", to = "ses_z", body: unknown = id): Mail => ({
  id,
  from,
  to,
  at,
  body,
});
const idsOf = (mails: readonly Mail[]) => mails.map(({ id }) => id);
const fromOne = (mails: readonly Mail[], sender: string) =>
  idsOf(mails.filter(({ from }) => from === sender));

async function sendAll(mailbox: Mailbox, ids: readonly string[], from?: string): Promise<void> {
  for (const id of ids) must(await mailbox.send(mailOf(id, from)));
}

/**
 * The contract of every mailbox. `create` gives the mailboxes of two live processes over one new storage, whose clocks
 * stand less than a day after the times that the mails of this suite have.
 */
export function mailboxConformance(
  create: () => Promise<{ readonly first: Mailbox; readonly second: Mailbox }>,
): readonly ConformanceCase[] {
  return [
    {
      name: "gives a mail to its receiver as it was sent",
      async run() {
        const { first, second } = await create();
        const body = { text: "ü\u2028\n<mail>", list: [1, null, { deep: true }] };
        const mail = mailOf("mail_1", "ses_a/agent_1", "ses_z", body);
        must(await first.send(mail));
        const [taken, ...more] = must(await second.take("ses_z", 10));
        const { seq, ...rest } = taken as Mail;
        assert.deepEqual(rest, mail);
        assert.equal(typeof seq, "number");
        assert.deepEqual(more, []);
      },
    },
    {
      name: "has nothing for whom nobody wrote to, and keeps receivers apart",
      async run() {
        const { first, second } = await create();
        assert.deepEqual(must(await first.take("ses_z", 10)), []);
        must(await first.acknowledge("ses_z", ["mail_1"]));
        must(await first.send(mailOf("mail_1", "ses_a", "ses_y")));
        must(await first.send(mailOf("mail_2", "ses_a", "ses_y/agent_1")));
        assert.deepEqual(must(await second.take("ses_z", 10)), []);
        assert.deepEqual(idsOf(must(await second.take("ses_y", 10))), ["mail_1"]);
        assert.deepEqual(idsOf(must(await second.take("ses_y/agent_1", 10))), ["mail_2"]);
      },
    },
    {
      name: "keeps the order of each sender, with numbers that grow, whatever the ids are",
      async run() {
        const { first, second } = await create();
        const ids = ["z", "a", "m", "0", "b9", "b10"];
        for (const id of ids) {
          must(await first.send(mailOf(`${id}1`, "ses_a")));
          must(await second.send(mailOf(`${id}2`, "ses_b")));
        }
        const taken = must(await second.take("ses_z", 100));
        assert.deepEqual(
          fromOne(taken, "ses_a"),
          ids.map((id) => `${id}1`),
        );
        assert.deepEqual(
          fromOne(taken, "ses_b"),
          ids.map((id) => `${id}2`),
        );
        const numbers = taken.filter(({ from }) => from === "ses_a").map(({ seq = 0 }) => seq);
        assert.ok(numbers.every((number, index) => index === 0 || number > (numbers[index - 1] ?? 0)));
      },
    },
    {
      name: "keeps the order of sends that do not wait for each other",
      async run() {
        const { first, second } = await create();
        const ids = Array.from({ length: 20 }, (_, index) => `mail_${20 - index}`);
        for (const sent of await Promise.all(ids.map((id) => first.send(mailOf(id))))) must(sent);
        assert.deepEqual(idsOf(must(await second.take("ses_z", 100))), ids);
      },
    },
    {
      name: "takes no more than it is asked for, the oldest of every sender in turn",
      async run() {
        const { first } = await create();
        await sendAll(first, ["a1", "a2", "a3", "a4"], "ses_a");
        await sendAll(first, ["b1", "b2"], "ses_b");
        assert.deepEqual(must(await first.take("ses_z", 0)), []);
        assert.deepEqual(idsOf(must(await first.take("ses_z", 4))).toSorted(), ["a1", "a2", "b1", "b2"]);
      },
    },
    {
      name: "gives a mail again until it is acknowledged, and never after that",
      async run() {
        const { first, second } = await create();
        await sendAll(second, ["a1", "a2", "a3"]);
        assert.deepEqual(idsOf(must(await first.take("ses_z", 2))), ["a1", "a2"]);
        assert.deepEqual(idsOf(must(await first.take("ses_z", 10))), ["a1", "a2", "a3"]);
        must(await first.acknowledge("ses_z", ["a1", "a3", "never"]));
        must(await first.acknowledge("ses_z", ["a1"]));
        assert.deepEqual(idsOf(must(await first.take("ses_z", 10))), ["a2"]);
        must(await first.acknowledge("ses_z", ["a2"]));
        assert.deepEqual(must(await first.take("ses_z", 10)), []);
        assert.deepEqual(must(await second.take("ses_z", 10)), []);
      },
    },
    {
      name: "gives nobody a mail that a live reader has, nor a later one of the same sender",
      async run() {
        const { first, second } = await create();
        await sendAll(first, ["a1", "a2"], "ses_a");
        assert.deepEqual(idsOf(must(await first.take("ses_z", 1))), ["a1"]);
        await sendAll(first, ["b1"], "ses_b");
        assert.deepEqual(idsOf(must(await second.take("ses_z", 10))), ["b1"]);
        must(await first.acknowledge("ses_z", ["a1"]));
        assert.deepEqual(idsOf(must(await second.take("ses_z", 10))).toSorted(), ["a2", "b1"]);
      },
    },
    {
      name: "gives what a reader has given back to others, in order",
      async run() {
        const { first, second } = await create();
        await sendAll(first, ["a1", "a2", "a3"]);
        must(await first.take("ses_z", 2));
        must((await first.release?.("ses_z")) ?? { ok: true, value: undefined });
        assert.deepEqual(idsOf(must(await second.take("ses_z", 10))), ["a1", "a2", "a3"]);
        assert.deepEqual(must(await first.take("ses_z", 10)), []);
      },
    },
    {
      name: "takes a mail that is sent again, under the same id, and forgets every copy that was taken",
      async run() {
        const { first, second } = await create();
        await sendAll(first, ["a1", "a2", "a1"]);
        assert.deepEqual([...new Set(idsOf(must(await second.take("ses_z", 10))))], ["a1", "a2"]);
        must(await second.acknowledge("ses_z", ["a1"]));
        assert.deepEqual(idsOf(must(await second.take("ses_z", 10))), ["a2"]);
      },
    },
    {
      name: "gives every mail to exactly one of two readers who take at once",
      async run() {
        const { first, second } = await create();
        for (let sender = 0; sender < 8; sender += 1)
          await sendAll(first, [`s${sender}-1`, `s${sender}-2`], `ses_${sender}`);
        const got: string[] = [];
        for (let round = 0; round < 100 && got.length < 16; round += 1) {
          const both = await Promise.all([first, second].map((reader) => reader.take("ses_z", 3)));
          for (const [index, taken] of both.entries()) {
            const ids = idsOf(must(taken));
            got.push(...ids);
            must(await (index === 0 ? first : second).acknowledge("ses_z", ids));
          }
        }
        assert.equal(got.length, 16);
        assert.equal(new Set(got).size, 16);
        for (let sender = 0; sender < 8; sender += 1)
          assert.ok(got.indexOf(`s${sender}-1`) < got.indexOf(`s${sender}-2`));
      },
    },
    {
      name: "refuses what cannot be an id, a sender, a receiver or a time",
      async run() {
        const { first } = await create();
        for (const odd of ["", "..", "../a", "/a", "a/b/c", "a b", "a\0", "a,b", "a\n", "x".repeat(129)]) {
          assert.equal(refused(await first.send(mailOf("m", odd))), "invalid-input", odd);
          assert.equal(refused(await first.send(mailOf("m", "ses_a", odd))), "invalid-input", odd);
          assert.equal(refused(await first.send(mailOf(odd))), "invalid-input", odd);
          assert.equal(refused(await first.take(odd, 1)), "invalid-input", odd);
          assert.equal(refused(await first.acknowledge(odd, [])), "invalid-input", odd);
        }
        assert.equal(refused(await first.send({ ...mailOf("m"), at: "then" })), "invalid-input");
        assert.deepEqual(must(await first.take("ses_z", 10)), []);
      },
    },
  ];
}
