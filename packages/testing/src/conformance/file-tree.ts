import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import type { FileTree } from "@palimpsest/core/spec";
import { type ConformanceCase, must, refused } from "./outcomes.ts";

const user = { author: "user" } as const;

const refusedPaths = [
  "",
  "/",
  "/absolute.md",
  "..",
  "../outside.md",
  "a/../b.md",
  "a/./b.md",
  "a//b.md",
  "a/",
  ".hidden",
  "a/.hidden",
  "a\\b.md",
  "a\0b.md",
  "a\nb.md",
  "%2e%2e/b.md",
  "%252e%252e%252fb.md",
  "a\u202eb.md",
  "a\u200bb.md",
  "\ud800.md",
  `${"a".repeat(300)}.md`,
];

const conflictOf = async (attempt: ReturnType<FileTree["write"]>) => {
  const result = await attempt;
  assert.equal(refused(result), "conflict");
  return result.ok ? null : result.error.facts;
};

/** The contract of every file tree. `create` gives two handles on one new tree, as two processes have them. */
export function fileTreeConformance(
  create: () => Promise<{ readonly first: FileTree; readonly second: FileTree }>,
): readonly ConformanceCase[] {
  const texts: readonly (readonly [string, string])[] = [
    ["a text", "# Plan\n\nOne thing.\n"],
    ["an empty text", ""],
    ["a text of many scripts", "Grüße, 世界, שלום, 👩‍👩‍👧, e\u0301\n"],
    ["line ends of all kinds and a byte order mark", "\ufeffa\r\nb\rc\u2028d\n"],
    ["a NUL", "a\0b"],
    ["100 kB", "x".repeat(100_000)],
  ];
  return [
    ...texts.map(([what, text]) => ({
      name: `gives back ${what} as it was written, with what is known about it`,
      async run() {
        const { first, second } = await create();
        const written = must(await first.write("a.md", text, { ...user, session: "s1", source: "m1, m2" }));
        const { at, ...rest } = written;
        assert.deepEqual(rest, {
          path: "a.md",
          version: 1,
          author: "user",
          session: "s1",
          source: "m1, m2",
          sha256: createHash("sha256").update(text).digest("hex"),
          bytes: Buffer.byteLength(text),
        });
        assert.match(at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
        for (const tree of [first, second]) {
          assert.deepEqual(must(await tree.read("a.md")), { text, version: written });
        }
      },
    })),
    {
      name: "keeps every version, and reads each again",
      async run() {
        const { first, second } = await create();
        const one = must(await first.write("a.md", "one", user));
        const two = must(await second.write("a.md", "two", { author: "agent" }));
        const three = must(await first.write("a.md", "two", { author: "dream" }));
        assert.deepEqual([one.version, two.version, three.version], [1, 2, 3]);
        assert.deepEqual(must(await second.history("a.md")), [one, two, three]);
        assert.deepEqual(must(await second.read("a.md", 1)), { text: "one", version: one });
        assert.deepEqual(must(await first.read("a.md", 2)), { text: "two", version: two });
      },
    },
    {
      name: "says that what was never written is not found, and has no history of it",
      async run() {
        const { first } = await create();
        assert.equal(refused(await first.read("a.md")), "not-found");
        assert.equal(refused(await first.read("a.md", 1)), "not-found");
        assert.equal(refused(await first.remove("a.md", user)), "not-found");
        assert.deepEqual(must(await first.history("a.md")), []);
        assert.deepEqual(must(await first.list()), []);
        must(await first.write("a.md", "one", user));
        assert.equal(refused(await first.read("a.md", 2)), "not-found");
      },
    },
    {
      name: "writes with an expected version only on top of that version",
      async run() {
        const { first, second } = await create();
        must(await first.write("a.md", "one", { ...user, expect: 0 }));
        must(await second.write("a.md", "two", { ...user, expect: 1 }));
        const stale = await conflictOf(first.write("a.md", "stale", { ...user, expect: 1 }));
        assert.deepEqual(stale, { expected: 1, present: 2 });
        const created = await conflictOf(first.write("a.md", "new", { ...user, expect: 0 }));
        assert.deepEqual(created, { expected: 0, present: 2 });
        const future = await conflictOf(first.remove("a.md", { ...user, expect: 7 }));
        assert.deepEqual(future, { expected: 7, present: 2 });
        const absent = await conflictOf(first.write("b.md", "text", { ...user, expect: 1 }));
        assert.deepEqual(absent, { expected: 1, present: 0 });
        assert.equal(must(await first.read("a.md")).text, "two");
        assert.equal(must(await first.history("a.md")).length, 2);
      },
    },
    {
      name: "explains a conflict in a sentence, with what to do",
      async run() {
        const { first } = await create();
        must(await first.write("a.md", "one", user));
        const refusal = await first.write("a.md", "two", { ...user, expect: 0 });
        assert.ok(!refusal.ok && refusal.error.message.includes("a.md") && refusal.error.fix);
      },
    },
    {
      name: "lets exactly one of many writers of the same version win",
      async run() {
        const { first, second } = await create();
        must(await first.write("a.md", "start", user));
        const writes = Array.from({ length: 12 }, (_, index) =>
          (index % 2 === 0 ? first : second).write("a.md", `writer ${index}`, { ...user, expect: 1 }),
        );
        const results = await Promise.all(writes);
        assert.equal(results.filter((result) => result.ok).length, 1);
        for (const result of results) if (!result.ok) assert.equal(result.error.code, "conflict");
        const winner = results.findIndex((result) => result.ok);
        assert.equal(must(await first.read("a.md")).text, `writer ${winner}`);
        assert.equal(must(await second.history("a.md")).length, 2);
      },
    },
    {
      name: "takes every write without an expected version, each on top of another",
      async run() {
        const { first, second } = await create();
        const writes = Array.from({ length: 12 }, (_, index) =>
          (index % 2 === 0 ? first : second).write("a.md", `writer ${index}`, user),
        );
        const versions = (await Promise.all(writes)).map((result) => must(result).version);
        assert.deepEqual(
          versions.toSorted((one, other) => one - other),
          versions.map((_, index) => index + 1),
        );
        const last = versions.indexOf(versions.length);
        for (const tree of [first, second]) {
          assert.equal(must(await tree.read("a.md")).text, `writer ${last}`);
        }
        const history = must(await first.history("a.md"));
        assert.deepEqual(
          history.map(({ version }) => version),
          versions.map((_, index) => index + 1),
        );
        assert.ok(history.every(({ author }) => author === "user"));
      },
    },
    {
      name: "loses no increment of a counter that several writers raise",
      async run() {
        const { first, second } = await create();
        must(await first.write("counter.md", "0", user));
        async function raise(tree: FileTree): Promise<void> {
          for (let done = 0; done < 5; ) {
            const { text, version } = must(await tree.read("counter.md"));
            const next = String(Number(text) + 1);
            const written = await tree.write("counter.md", next, { ...user, expect: version.version });
            if (written.ok) done += 1;
            else assert.equal(written.error.code, "conflict");
          }
        }
        await Promise.all([raise(first), raise(second), raise(first), raise(second)]);
        assert.equal(must(await second.read("counter.md")).text, "20");
        assert.equal(must(await first.history("counter.md")).length, 21);
      },
    },
    {
      name: "removes a file as a version: not found any more, its history kept",
      async run() {
        const { first, second } = await create();
        const one = must(await first.write("a.md", "one", user));
        const gone = must(await second.remove("a.md", { author: "agent", session: "s", expect: 1 }));
        assert.deepEqual([gone.version, gone.removed, gone.bytes, gone.author], [2, true, 0, "agent"]);
        for (const tree of [first, second]) {
          assert.equal(refused(await tree.read("a.md")), "not-found");
          assert.equal(refused(await tree.read("a.md", 2)), "not-found");
          assert.deepEqual(must(await tree.read("a.md", 1)), { text: "one", version: one });
          assert.deepEqual(must(await tree.list()), []);
          assert.deepEqual(must(await tree.history("a.md")), [one, gone]);
        }
        assert.equal(refused(await first.remove("a.md", user)), "not-found");
      },
    },
    {
      name: "writes a removed file again, with the next number",
      async run() {
        const { first, second } = await create();
        must(await first.write("a.md", "one", user));
        must(await first.remove("a.md", user));
        const stale = await conflictOf(second.write("a.md", "two", { ...user, expect: 1 }));
        assert.deepEqual(stale, { expected: 1, present: 0 });
        assert.equal(must(await second.write("a.md", "two", { ...user, expect: 0 })).version, 3);
        must(await first.remove("a.md", { ...user, expect: 3 }));
        assert.equal(must(await first.write("a.md", "three", { ...user, expect: 4 })).version, 5);
        assert.equal(must(await second.read("a.md")).text, "three");
      },
    },
    {
      name: "lists the present files in all folders, sorted, each with its newest version",
      async run() {
        const { first, second } = await create();
        for (const path of ["b.md", "notes/deep/er/x.md", "a b.md", "notes/a.md", "ü/世界.md", "gone.md"]) {
          must(await first.write(path, path, user));
        }
        const newest = must(await first.write("b.md", "newer", { author: "agent" }));
        must(await first.remove("gone.md", user));
        const list = must(await second.list());
        assert.deepEqual(
          list.map(({ path }) => path),
          ["a b.md", "b.md", "notes/a.md", "notes/deep/er/x.md", "ü/世界.md"],
        );
        assert.deepEqual(list[1], newest);
        const all = must(await second.list({ removed: true }));
        assert.deepEqual(
          all.filter(({ removed }) => removed).map(({ path, version }) => [path, version]),
          [["gone.md", 2]],
        );
        assert.deepEqual(
          all.filter(({ removed }) => !removed),
          list,
        );
      },
    },
    {
      name: "takes the spellings of one name as one file",
      async run() {
        const { first, second } = await create();
        assert.equal(must(await first.write("cafe\u0301.md", "one", user)).path, "caf\u00e9.md");
        assert.equal(must(await second.read("caf\u00e9.md")).text, "one");
      },
    },
    {
      name: "refuses paths that are absolute, hidden, climbing, disguised or too long, in every call",
      async run() {
        const { first } = await create();
        for (const path of refusedPaths) {
          assert.equal(refused(await first.read(path)), "invalid-path", JSON.stringify(path));
          assert.equal(refused(await first.read(path, 1)), "invalid-path", JSON.stringify(path));
          assert.equal(refused(await first.write(path, "x", user)), "invalid-path", JSON.stringify(path));
          assert.equal(refused(await first.remove(path, user)), "invalid-path", JSON.stringify(path));
          assert.equal(refused(await first.history(path)), "invalid-path", JSON.stringify(path));
        }
        assert.deepEqual(must(await first.list()), []);
      },
    },
    {
      name: "refuses what it could not give back, and what makes no sense",
      async run() {
        const { first } = await create();
        assert.equal(refused(await first.write("a.md", "\ud800", user)), "invalid-input");
        assert.equal(refused(await first.write("a.md", "x", { author: "" })), "invalid-input");
        for (const number of [-1, 0.5, Number.NaN]) {
          assert.equal(refused(await first.write("a.md", "x", { ...user, expect: number })), "invalid-input");
          assert.equal(refused(await first.read("a.md", number)), "invalid-input");
        }
        assert.equal(refused(await first.read("a.md", 0)), "invalid-input");
        assert.deepEqual(must(await first.list()), []);
      },
    },
  ];
}
