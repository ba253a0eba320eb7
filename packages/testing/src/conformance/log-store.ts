import assert from "node:assert/strict";
import type {
  Durability,
  Entry,
  EntryDraft,
  EntryLocation,
  LogStore,
  LogWriter,
} from "@palimpsest/core/spec";
import { type ConformanceCase, must, refused } from "./outcomes.ts";

const first = (id: string) => ({ kind: "session", session: { id, project: "conformance" } }) as const;
const says = (content: string): EntryDraft => ({ kind: "message", message: { type: "user", content } });

function textOf(entry: Entry): string | null {
  return entry.kind === "message" && typeof entry.message.content === "string" ? entry.message.content : null;
}

async function textsIn(store: LogStore, session: string): Promise<readonly string[]> {
  const texts: string[] = [];
  must(
    await store.scan(session, (entry) => {
      const text = textOf(entry);
      if (text !== null) texts.push(text);
    }),
  );
  return texts;
}

async function started(store: LogStore, id = "one", durability?: Durability): Promise<LogWriter> {
  return must(await store.create(first(id), { durability }));
}

/** The contract of every log store. `create` gives an empty store. */
export function logStoreConformance(create: () => Promise<LogStore>): readonly ConformanceCase[] {
  const levels: readonly Durability[] = ["process", "fsync", "relaxed"];
  return [
    ...levels.map((durability) => ({
      name: `gives back what was appended, in order, at ${durability}`,
      async run() {
        const store = await create();
        const writer = await started(store, "one", durability);
        must(await writer.append([says("a"), says("b")]));
        must(await writer.append([says("c")]));
        must(await writer.close());
        assert.deepEqual(await textsIn(store, "one"), ["a", "b", "c"]);
      },
    })),
    {
      name: "numbers entries strictly upwards, with ids, times and the writer's epoch",
      async run() {
        const store = await create();
        const writer = await started(store);
        const appended = must(
          await writer.append([says("a"), { ...says("b"), id: "mine", at: "2020-01-01T00:00:00.000Z" }]),
        );
        const [a, b] = appended.map(({ entry }) => entry);
        assert.ok(a && b && b.seq > a.seq && a.seq > 1);
        assert.equal(a.epoch, writer.epoch);
        assert.deepEqual([b.id, b.at], ["mine", "2020-01-01T00:00:00.000Z"]);
        assert.notEqual(a.id, b.id);
        must(await writer.close());
        const seen: Entry[] = [];
        must(await store.scan("one", (entry) => seen.push(entry)));
        assert.deepEqual(seen.slice(1), [a, b]);
        assert.equal(seen[0]?.kind, "session");
      },
    },
    {
      name: "reads one entry again by its place, from a scan and from an append",
      async run() {
        const store = await create();
        const writer = await started(store);
        const appended = must(await writer.append([says("a"), says("b")]));
        must(await writer.close());
        const places = new Map<EntryLocation, Entry>();
        must(await store.scan("one", (entry, location) => places.set(location, entry)));
        for (const [location, entry] of places)
          assert.deepEqual(must(await store.read("one", location)), entry);
        for (const { entry, place } of appended)
          assert.deepEqual(must(await store.read("one", place)), entry);
      },
    },
    {
      name: "resumes where it stood: entries visited, sequence and epoch above all before",
      async run() {
        const store = await create();
        const before = await started(store);
        must(await before.append([says("a")]));
        must(await before.close());
        const seen: Entry[] = [];
        const writer = must(await store.open("one", (entry) => seen.push(entry)));
        assert.ok(writer.epoch > before.epoch);
        assert.deepEqual(seen.map(textOf), [null, "a"]);
        const [added] = must(await writer.append([says("b")]));
        assert.ok(added && seen.every((entry) => entry.seq < added.entry.seq));
        must(await writer.close());
        assert.deepEqual(await textsIn(store, "one"), ["a", "b"]);
      },
    },
    {
      name: "has one writer: a second opener is refused, and may read",
      async run() {
        const store = await create();
        const writer = await started(store);
        must(await writer.append([says("a")]));
        assert.equal(refused(await store.open("one", () => undefined)), "held");
        assert.deepEqual(await textsIn(store, "one"), ["a"]);
        must(await writer.close());
        must(await must(await store.open("one", () => undefined)).close());
      },
    },
    {
      name: "scans on from the end of an earlier scan",
      async run() {
        const store = await create();
        const writer = await started(store);
        must(await writer.append([says("a")]));
        const { end } = must(await store.scan("one", () => undefined));
        must(await writer.append([says("b"), says("c")]));
        const texts: (string | null)[] = [];
        must(await store.scan("one", (entry) => texts.push(textOf(entry)), { from: end }));
        assert.deepEqual(texts, ["b", "c"]);
        must(await writer.close());
      },
    },
    {
      name: "scans page by page, each entry once",
      async run() {
        const store = await create();
        const writer = await started(store);
        must(await writer.append(["a", "b", "c", "d", "e"].map(says)));
        must(await writer.close());
        const texts: (string | null)[] = [];
        let from: EntryLocation | undefined;
        for (let page = 0; page < 6; page += 1) {
          const before = texts.length;
          from = must(await store.scan("one", (entry) => texts.push(textOf(entry)), { from, limit: 2 })).end;
          assert.ok(texts.length - before <= 2);
        }
        assert.deepEqual(texts, [null, "a", "b", "c", "d", "e"]);
      },
    },
    {
      name: "keeps entries of many callers whole and in the order of their calls",
      async run() {
        const store = await create();
        const writer = await started(store);
        const calls = Array.from({ length: 100 }, (_, call) =>
          writer.append([says(`${call}a`), says(`${call}b`)]),
        );
        for (const call of calls) must(await call);
        must(await writer.close());
        const expected = calls.flatMap((_, call) => [`${call}a`, `${call}b`]);
        assert.deepEqual(await textsIn(store, "one"), expected);
      },
    },
    {
      name: "keeps every text as it is",
      async run() {
        const store = await create();
        const writer = await started(store);
        const texts = [
          "",
          "\n",
          "\r\n",
          "\u2028\u2029\u0085",
          "\0",
          "😀",
          "\ud800",
          '{"v":1}',
          "x".repeat(1 << 20),
        ];
        must(await writer.append(texts.map(says)));
        must(await writer.close());
        assert.deepEqual(await textsIn(store, "one"), texts);
      },
    },
    {
      name: "refuses appends after closing, and closes twice without harm",
      async run() {
        const store = await create();
        const writer = await started(store);
        must(await writer.close());
        must(await writer.close());
        assert.equal(refused(await writer.append([says("late")])), "closed");
        assert.deepEqual(await textsIn(store, "one"), []);
      },
    },
    {
      name: "refuses a draft that is no JSON, and goes on",
      async run() {
        const store = await create();
        const writer = await started(store);
        assert.equal(refused(await writer.append([says("x"), says(1n as never)])), "invalid-input");
        must(await writer.append([says("fine")]));
        must(await writer.close());
        assert.deepEqual(await textsIn(store, "one"), ["fine"]);
      },
    },
    {
      name: "refuses to create what exists, and to open, scan or read what does not",
      async run() {
        const store = await create();
        must(await (await started(store)).close());
        assert.equal(refused(await store.create(first("one"))), "exists");
        assert.equal(refused(await store.open("two", () => undefined)), "not-found");
        assert.equal(refused(await store.scan("two", () => undefined)), "not-found");
        assert.equal(refused(await store.read("two", 0)), "not-found");
        assert.equal(refused(await store.remove("two", "test")), "not-found");
      },
    },
    {
      name: "lists sessions with what their logs say about them",
      async run() {
        const store = await create();
        assert.deepEqual(must(await store.list()), []);
        const writer = await started(store);
        must(
          await writer.append([says("hello"), { kind: "note", note: { topic: "title", title: "Greeting" } }]),
        );
        must(await writer.close());
        const [listing, ...rest] = must(await store.list());
        assert.deepEqual(rest, []);
        assert.deepEqual(
          [listing?.session, listing?.title, listing?.firstPrompt, listing?.problem],
          ["one", "Greeting", "hello", undefined],
        );
      },
    },
    {
      name: "removes a session for good and says so afterwards; not while someone writes",
      async run() {
        const store = await create();
        const writer = await started(store);
        assert.equal(refused(await store.remove("one", "test")), "held");
        must(await writer.append([says("still here")]));
        must(await writer.close());
        must(await store.remove("one", "test"));
        assert.deepEqual(must(await store.list()), []);
        assert.equal(refused(await store.open("one", () => undefined)), "collected");
        assert.equal(refused(await store.scan("one", () => undefined)), "collected");
      },
    },
    {
      name: "refuses ids that are no ids",
      async run() {
        const store = await create();
        for (const id of ["", "..", "../x", "a/b/c", "a\0b", "/etc", "a b", "a.agents"]) {
          assert.equal(refused(await store.create(first(id))), "invalid-input");
          assert.equal(refused(await store.scan(id, () => undefined)), "invalid-input");
        }
      },
    },
    {
      name: "keeps a fork's log apart from its parent's, and removes it with it",
      async run() {
        const store = await create();
        const parent = await started(store, "one");
        const fork = await started(store, "one/fork");
        must(await fork.append([says("aside")]));
        must(await fork.close());
        must(await parent.close());
        assert.deepEqual(await textsIn(store, "one"), []);
        assert.deepEqual(await textsIn(store, "one/fork"), ["aside"]);
        must(await store.remove("one", "test"));
        assert.ok(!(await store.scan("one/fork", () => undefined)).ok);
      },
    },
    {
      name: "stops reading when aborted",
      async run() {
        const store = await create();
        must(await (await started(store)).close());
        assert.equal(
          refused(await store.scan("one", () => undefined, { signal: AbortSignal.abort() })),
          "aborted",
        );
      },
    },
  ];
}
