import assert from "node:assert/strict";
import type { EntryDraft, ProjectStore, ProjectStores, Redaction } from "@palimpsest/core/spec";
import { type ConformanceCase, must, refused } from "./outcomes.ts";

const planted = "open-sesame-7";
const redaction: Redaction = {
  forms: [{ secret: planted, replacement: "[GONE]" }],
  needles: [Buffer.from(planted)],
};

const said = (content: string): EntryDraft => ({ kind: "message", message: { type: "user", content } });

async function begin(store: ProjectStore, id: string, ...texts: readonly string[]): Promise<void> {
  const { project } = store;
  const writer = must(await store.logs.create({ kind: "session", session: { id, project } }));
  if (texts.length > 0) must(await writer.append(texts.map(said)));
  must(await writer.close());
}

async function linesOf(store: ProjectStore, session: string): Promise<string> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of store.sessions.lines(session)) chunks.push(must(chunk));
  return Buffer.concat(chunks).toString("utf8");
}

async function refusalOf(store: ProjectStore, session: string): Promise<string> {
  for await (const chunk of store.sessions.lines(session)) return refused(chunk);
  return "nothing";
}

/**
 * The contract of project stores beside their ports, each of which has a suite of its own. `create` gives two over one
 * new storage, as two processes have them.
 */
export function projectStoreConformance(
  create: () => Promise<{ readonly first: ProjectStores; readonly second: ProjectStores }>,
): readonly ConformanceCase[] {
  const open = async () => {
    const { first, second } = await create();
    return { first: first.store("p-1"), second: second.store("p-1"), stores: { first, second } };
  };
  return [
    {
      name: "lists the projects of which something is stored, and keeps them apart",
      async run() {
        const { first, second } = await create();
        assert.deepEqual(must(await first.projects()), []);
        await begin(first.store("p-2"), "ses_b");
        await begin(first.store("p-1"), "ses_a");
        assert.deepEqual(must(await second.projects()), ["p-1", "p-2"]);
        assert.deepEqual(must(await second.store("p-1").sessions.ids()), ["ses_a"]);
        assert.equal(second.store("p-1").project, "p-1");
      },
    },
    {
      name: "finds sessions by the beginning of their ids, without the forks inside them",
      async run() {
        const { first, second } = await open();
        for (const id of ["ses_b", "ses_a", "other", "ses_a/agent_2", "ses_a/agent_1"])
          await begin(first, id);
        assert.deepEqual(must(await second.sessions.ids()), ["other", "ses_a", "ses_b"]);
        assert.deepEqual(must(await second.sessions.ids("ses_")), ["ses_a", "ses_b"]);
        assert.deepEqual(must(await second.sessions.ids("SES_")), []);
        assert.deepEqual(must(await second.sessions.ids("%")), []);
        assert.deepEqual(must(await second.sessions.agentsOf("ses_a")), ["ses_a/agent_1", "ses_a/agent_2"]);
        assert.deepEqual(must(await second.sessions.agentsOf("ses_b")), []);
        assert.deepEqual(must(await second.sessions.agentsOf("ses_a/agent_1")), []);
      },
    },
    {
      name: "describes one session as its list does, and a fork inside it too",
      async run() {
        const { first, second } = await open();
        await begin(first, "ses_a", "hello");
        await begin(first, "ses_a/agent_1", "inside");
        const [listed] = must(await second.logs.list());
        assert.deepEqual(await second.sessions.listing("ses_a"), listed);
        assert.equal((await second.sessions.listing("ses_a/agent_1")).firstPrompt, "inside");
        assert.notEqual((await second.sessions.listing("ses_none")).problem, undefined);
      },
    },
    {
      name: "gives a stamp that grows with the log, and stays while nothing is written",
      async run() {
        const { first, second } = await open();
        await begin(first, "ses_a", "hello");
        const before = must(await second.sessions.stamp("ses_a"));
        assert.deepEqual(must(await second.sessions.stamp("ses_a")), before);
        const { end } = must(await second.logs.scan("ses_a", () => undefined));
        assert.ok(before.end >= end && before.bytes >= end);
        const writer = must(await first.logs.open("ses_a", () => undefined));
        must(await writer.append([said("more")]));
        must(await writer.close());
        const after = must(await second.sessions.stamp("ses_a"));
        assert.equal(after.identity, before.identity);
        assert.ok(after.end > before.end && after.bytes > before.bytes);
        assert.equal(refused(await second.sessions.stamp("ses_none")), "not-found");
      },
    },
    {
      name: "gives a log as lines, one for each entry",
      async run() {
        const { first, second } = await open();
        await begin(first, "ses_a", "hello", "again");
        const text = await linesOf(second, "ses_a");
        assert.ok(text.endsWith("\n") && text.includes("hello") && text.includes("again"));
        const { entries } = must(await second.logs.scan("ses_a", () => undefined));
        assert.equal(text.split("\n").length - 1, entries);
        assert.equal(await refusalOf(second, "ses_none"), "not-found");
      },
    },
    {
      name: "keeps a tombstone of what was removed",
      async run() {
        const { first, second } = await open();
        await begin(first, "ses_a", "hello");
        assert.equal(must(await second.sessions.tombstone("ses_a")), null);
        must(await first.logs.remove("ses_a", "for a test"));
        const tombstone = must(await second.sessions.tombstone("ses_a"));
        assert.deepEqual([tombstone?.session, tombstone?.why], ["ses_a", "for a test"]);
        assert.equal(refused(await second.sessions.stamp("ses_a")), "collected");
        assert.equal(await refusalOf(second, "ses_a"), "collected");
        assert.deepEqual(must(await second.sessions.ids()), []);
        assert.equal(refused(await second.sessions.tombstone("../x")), "invalid-input");
      },
    },
    {
      name: "counts all that goes with a session, what is stored once once",
      async run() {
        const { first, second } = await open();
        await begin(first, "ses_a", "hello");
        const alone = must(await second.sessions.footprint("ses_a")).bytes;
        assert.equal(alone, (await second.sessions.listing("ses_a")).bytes);
        const { blob } = must(await first.blobs.put("ses_a", Buffer.alloc(1_000, "x")));
        must(await first.blobs.name("ses_a", blob, "toolu_1.txt"));
        await begin(first, "ses_a/agent_1");
        const { parts, bytes } = must(await second.sessions.footprint("ses_a"));
        const kinds = [...new Set(parts.map(({ kind }) => kind))].sort();
        assert.deepEqual(kinds, ["agent", "blob", "log", "tool-result"]);
        const least = alone + 1_000 + (await second.sessions.listing("ses_a/agent_1")).bytes;
        assert.ok(bytes >= least && bytes < least + 1_000);
      },
    },
    {
      name: "says who has a session open",
      async run() {
        const { first, second } = await open();
        await begin(first, "ses_a");
        assert.equal(must(await second.sessions.holder("ses_a")), null);
        const writer = must(await first.logs.open("ses_a", () => undefined));
        const held = must(await second.sessions.holder("ses_a"));
        assert.equal(held?.isRecent, true);
        assert.notEqual(held?.state, "dead");
        must(await writer.close());
        assert.equal(must(await second.sessions.holder("ses_a")), null);
        assert.ok(second.sessions.address("ses_a").includes("ses_a"));
      },
    },
    {
      name: "takes a secret out of a session, and says how much it was and never what",
      async run() {
        const { first, second, stores } = await open();
        await begin(first, "ses_a", `it is ${planted}`, "harmless");
        await begin(first, "ses_b", "harmless");
        must(await first.blobs.put("ses_b", Buffer.from(`see ${planted}`)));
        const before = must(await second.sessions.stamp("ses_a"));
        assert.equal(must(await second.upkeep.survey("ses_a", redaction)).isClean, false);
        const except = { project: "p-1", session: "ses_a" };
        assert.equal(must(await stores.second.findSecret(redaction, { except })).length, 1);
        const { entries, occurrences } = must(await first.upkeep.redact("ses_a", redaction));
        assert.deepEqual([entries, occurrences], [1, 1]);
        const text = await linesOf(second, "ses_a");
        assert.ok(!text.includes(planted) && text.includes("it is [GONE]") && text.includes('"redacted"'));
        assert.equal(must(await second.upkeep.survey("ses_a", redaction)).isClean, true);
        assert.notEqual(must(await second.sessions.stamp("ses_a")).identity, before.identity);
        const [record] = must(await second.upkeep.redactions("ses_a"));
        assert.deepEqual([record?.entries, record?.occurrences, record?.finished], [1, 1, true]);
        assert.ok(!JSON.stringify(record).includes(planted));
        assert.deepEqual(must(await second.upkeep.redactions("ses_b")), []);
      },
    },
    {
      name: "refuses to redact what somebody writes to, what is not there, and a secret in the id itself",
      async run() {
        const { first, second } = await open();
        await begin(first, "ses_a", planted);
        const writer = must(await first.logs.open("ses_a", () => undefined));
        assert.equal(refused(await second.upkeep.redact("ses_a", redaction)), "held");
        must(await writer.close());
        assert.equal(refused(await second.upkeep.redact("ses_none", redaction)), "not-found");
        assert.equal(refused(await second.upkeep.survey("ses_none", redaction)), "not-found");
        const ownName = { forms: [{ secret: "ses_a", replacement: "x" }], needles: [Buffer.from("ses_a")] };
        assert.equal(refused(await second.upkeep.redact("ses_a", ownName)), "invalid-input");
      },
    },
    {
      name: "finds nothing to repair in a whole log",
      async run() {
        const { first, second } = await open();
        await begin(first, "ses_a", "hello");
        const text = await linesOf(second, "ses_a");
        for (const report of [await second.upkeep.planRepair("ses_a"), await first.upkeep.repair("ses_a")]) {
          const { entries, rewritten, tornBytes, corruptLines, bytesBefore, bytesAfter } = must(report);
          assert.deepEqual([entries, rewritten, tornBytes, corruptLines], [2, false, 0, 0]);
          assert.equal(bytesBefore, bytesAfter);
        }
        assert.equal(await linesOf(second, "ses_a"), text);
        assert.equal(refused(await first.upkeep.repair("ses_none")), "not-found");
      },
    },
    {
      name: "finds the blobs that a log stands on and that are gone, and puts back those of which there is a copy",
      async run() {
        const { first, second } = await open();
        const put = async (session: string, text: string) =>
          must(await first.blobs.put(session, Buffer.from(text)));
        const [system, tools] = [await put("ses_a", "the prompt"), await put("ses_a", "the tools")];
        const flags = await put("ses_a", "{}");
        const session = { id: "ses_a", project: first.project, system, tools, flags };
        const writer = must(await first.logs.create({ kind: "session", session }));
        must(await writer.close());
        assert.deepEqual(must(await first.upkeep.repair("ses_a")).lostBlobs, []);
        await begin(first, "ses_b");
        await put("ses_b", "the tools");
        must(await first.blobs.removeAll("ses_a"));
        const found = async (report: ReturnType<typeof first.upkeep.planRepair>) =>
          must(await report).lostBlobs.map(({ blob, bytes, what, copyIn }) => [blob, bytes, what, copyIn]);
        const all = [
          [system.blob, 10, "the system prompt", undefined],
          [tools.blob, 9, "the tools", "session ses_b"],
          [flags.blob, 2, "the flags", "its hash"],
        ];
        assert.deepEqual(await found(second.upkeep.planRepair("ses_a")), all);
        assert.deepEqual(await found(second.upkeep.repair("ses_a")), all);
        assert.deepEqual(await found(second.upkeep.repair("ses_a")), all.slice(0, 1));
        assert.deepEqual([...must(await first.blobs.list("ses_a"))].sort(), [tools.blob, flags.blob].sort());
      },
    },
    {
      name: "gives an agent's name to one process at a time",
      async run() {
        const { first, second } = await open();
        const leave = must(await first.agentRecords.add({ id: "ses_a", name: "tester" }));
        assert.equal(refused(await second.agentRecords.add({ id: "ses_b", name: "tester" })), "exists");
        must(await second.agentRecords.add({ id: "ses_b", name: "helper" }));
        assert.deepEqual(must(await first.agentRecords.list()), [
          { id: "ses_b", name: "helper" },
          { id: "ses_a", name: "tester" },
        ]);
        await leave();
        must(await second.agentRecords.add({ id: "ses_c", name: "tester" }));
      },
    },
  ];
}
