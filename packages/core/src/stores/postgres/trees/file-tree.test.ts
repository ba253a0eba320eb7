import { expect, it } from "vitest";
import { losingAnswerOnce, losingAnswers } from "../../../../../../test/support/postgres/lose-answers.ts";
import { checkTreeWriters } from "../../../../../../test/support/postgres/tree-writers.ts";
import {
  describeOnPostgres,
  openBeside,
  openTestDatabase,
} from "../../../../../../test/support/postgres/use-postgres.ts";
import { fileTreeConformance } from "../../../../../testing/src/conformance/file-tree.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createRuntime } from "../../../runtime.ts";
import { maxTreeFileBytes } from "../../shared/trees/tree-version.ts";
import type { Database } from "../database.ts";
import { createPostgresTree } from "./file-tree.ts";

const user = { author: "user" } as const;

describeOnPostgres("file tree on Postgres", async () => {
  const database = await openTestDatabase();
  const beside = await openBeside(database);
  const { clock, ids } = createRuntime();
  let projects = 0;
  const open = (over: Database = database, project = `project-${projects}`, tree = "memory") =>
    createPostgresTree({ database: over, project, tree, clock, ids });
  const openNew = (over?: Database) => {
    projects += 1;
    return open(over);
  };

  const create = async () => ({ first: openNew(), second: open(beside) });
  for (const { name, run } of fileTreeConformance(create)) it(name, run);

  it("loses and doubles nothing when 16 handles write one path 60 times each", async () => {
    openNew();
    const trees = Array.from({ length: 16 }, (_, index) => open(index % 2 ? database : beside));
    await checkTreeWriters(trees, { times: 60, atOnce: 2 });
  });

  it("loses and doubles nothing when 16 handles write one path at the same moment", async () => {
    openNew();
    const trees = Array.from({ length: 16 }, (_, index) => open(index % 2 ? database : beside));
    await checkTreeWriters(trees, { times: 2, atOnce: 16 });
  });

  it("lets one of many first writes of a path win, and leaks no failure of the database", async () => {
    const trees = [openNew(), open(beside)];
    for (let round = 0; round < 5; round += 1) {
      const writes = Array.from({ length: 10 }, (_, index) =>
        trees[index % 2]?.write(`${round}.md`, `${index}`, { ...user, expect: 0 }),
      );
      const codes = (await Promise.all(writes)).map((result) => (result?.ok ? "ok" : result?.error.code));
      expect(codes.toSorted()).toEqual([...Array(9).fill("conflict"), "ok"]);
    }
  });

  it("keeps trees and projects apart", async () => {
    const one = openNew();
    const other = open(database, undefined, "rules");
    const far = openNew();
    must(await one.write("a.md", "one", user));
    expect(refused(await other.read("a.md"))).toBe("not-found");
    expect(refused(await far.read("a.md"))).toBe("not-found");
    expect(must(await other.write("a.md", "other", { ...user, expect: 0 })).version).toBe(1);
    expect(must(await one.list()).length).toBe(1);
    expect(() => open(database, "p", "../x")).toThrow("cannot name a tree");
  });

  it("gives back hostile texts and labels as they were", async () => {
    const tree = openNew();
    const text = `\\0'"; drop table x; --\u0000\u2028${"é".repeat(500_000)}`;
    const about = { author: "a\0b'\ud800", session: "s\udfff", source: "$1 \\x00 \ud83d" };
    const written = must(await tree.write("o'clock $1.md", text, about));
    expect(must(await tree.read("o'clock $1.md"))).toEqual({ text, version: written });
    expect(written).toMatchObject(about);
    expect(must(await tree.history("o'clock $1.md"))).toEqual([written]);
  });

  it("sorts by code unit, as strings are compared", async () => {
    const tree = openNew();
    const paths = ["\u{1F600}.md", "\uFF21.md", "b.md", "B.md", "a/z.md", "a.md", "ä.md"];
    for (const path of paths) must(await tree.write(path, "", user));
    expect(must(await tree.list()).map(({ path }) => path)).toEqual(paths.toSorted());
  });

  it("refuses what is too large, with the sizes", async () => {
    const tree = openNew();
    const large = await tree.write("a.md", "x".repeat(maxTreeFileBytes + 1), user);
    expect(refused(large)).toBe("too-large");
    expect(refused(await tree.write("a.md", "x", { author: "x".repeat(70_000) }))).toBe("too-large");
    expect(must(await tree.list())).toEqual([]);
  });

  it("says that a version is damaged whose content is not what its hash says", async () => {
    const tree = openNew();
    must(await tree.write("a.md", "one", user));
    must(await tree.write("a.md", "two", user));
    must(
      await database.query(
        `update ${database.schema}.tree_version set content = 'xxx' where project = $1 and version = 2`,
        [`project-${projects}`],
      ),
    );
    expect(refused(await tree.read("a.md"))).toBe("corrupt");
    expect(must(await tree.read("a.md", 1)).text).toBe("one");
  });

  it("writes and removes once though every answer is lost, and answers as the first time", async () => {
    const sane = openNew();
    const losing = losingAnswers(database);
    const tree = open(losing);
    const one = must(await tree.write("a.md", "one", { ...user, expect: 0 }));
    const two = must(await tree.write("a.md", "two", { ...user, expect: 1 }));
    const three = must(await tree.write("a.md", "three", user));
    const gone = must(await tree.remove("a.md", { ...user, expect: 3 }));
    const again = must(await tree.write("a.md", "five", { ...user, expect: 4 }));
    const last = must(await tree.remove("a.md", user));
    expect(must(await sane.history("a.md"))).toEqual([one, two, three, gone, again, last]);
    expect(refused(await tree.write("a.md", "x", { ...user, expect: 2 }))).toBe("conflict");
    expect(refused(await tree.remove("a.md", user))).toBe("not-found");
    expect(losing.lost()).toBeGreaterThan(6);
  });

  it("knows its write though others have written on top before its answer came", async () => {
    const other = openNew();
    must(await other.write("a.md", "one", user));
    const lossy = open(losingAnswerOnce(database, () => other.write("a.md", "three", user)));
    const two = must(await lossy.write("a.md", "two", { ...user, expect: 1 }));
    expect(two.version).toBe(2);
    expect(must(await other.history("a.md"))[1]).toEqual(two);
    expect(must(await other.history("a.md")).length).toBe(3);
  });

  it.each([undefined, 0] as const)(
    "is one write when two tries of it meet, expecting %s",
    async (expected) => {
      const sane = openNew();
      const meeting: Database = {
        ...database,
        async query<Row extends object>(text: string, values?: readonly unknown[]) {
          const both = [database, beside].map((one) => one.query<Row>(text, values, { isRepeatable: true }));
          const [, second] = await Promise.all(both);
          if (second === undefined) throw new Error("unreachable");
          return second;
        },
      };
      const tree = open(meeting);
      const options = { ...user, ...(expected !== undefined && { expect: expected }) };
      for (let at = 0; at < 10; at += 1) {
        const written = must(await tree.write(`${at}.md`, "one", options));
        expect(must(await sane.history(`${at}.md`))).toEqual([written]);
      }
    },
  );
});
