import { appendFile, mkdir, realpath, rename, rm, stat, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../../test/support/temporary-folder.ts";
import { wholeHistory } from "../../../../../../test/support/tree-schedules.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createRuntime } from "../../../runtime.ts";
import type { FileTree } from "../../../spec/index.ts";
import { maxTreeFileBytes } from "../../shared/trees/tree-version.ts";
import { createNodeDisk } from "../disk/node-disk.ts";
import { createFileTree } from "./file-tree.ts";

const own = { author: "agent" } as const;

async function createTree() {
  const folder = await realpath(await temporaryFolder());
  const problems: string[] = [];
  const open = () =>
    createFileTree({
      ...createRuntime(),
      disk: createNodeDisk(),
      folder,
      onProblem: ({ code, path }) => problems.push(`${code} ${path?.slice(folder.length + 1)}`),
    });
  return { folder, file: `${folder}/a.md`, tree: open(), open, problems };
}

async function story(tree: FileTree, path = "a.md"): Promise<readonly string[]> {
  return (await wholeHistory(tree, path)).map(({ author, text }) => `${author}: ${text ?? "(removed)"}`);
}

describe("file tree, when others change the visible files", () => {
  it("takes a file that someone made, wherever the tree meets it first", async () => {
    const { folder, tree } = await createTree();
    await mkdir(`${folder}/notes/deep`, { recursive: true });
    for (const name of ["read.md", "notes/listed.md", "notes/deep/written.md", "removed.md"]) {
      await writeFile(`${folder}/${name}`, `text of ${name}`);
    }
    expect(must(await tree.read("read.md")).version).toMatchObject({ version: 1, author: "outside" });
    expect(must(await tree.list()).map(({ path }) => path)).toEqual([
      "notes/deep/written.md",
      "notes/listed.md",
      "read.md",
      "removed.md",
    ]);
    must(await tree.write("notes/deep/written.md", "mine", own));
    must(await tree.remove("removed.md", own));
    expect(await story(tree, "notes/deep/written.md")).toEqual([
      "outside: text of notes/deep/written.md",
      "agent: mine",
    ]);
    expect(await story(tree, "removed.md")).toEqual(["outside: text of removed.md", "agent: (removed)"]);
  });

  it("makes a version of an edit in place, of a replaced file, of a removal and of a new start", async () => {
    const { file, tree, open } = await createTree();
    must(await tree.write("a.md", "one", own));
    await writeFile(file, "in place");
    expect(must(await tree.read("a.md")).text).toBe("in place");
    await writeFile(`${file}.new`, "replaced");
    await rename(`${file}.new`, file);
    expect(must(await open().list()).map(({ version, author }) => [version, author])).toEqual([
      [3, "outside"],
    ]);
    await rm(file);
    expect(refused(await tree.read("a.md"))).toBe("not-found");
    await writeFile(file, "again");
    expect(await story(tree)).toEqual([
      "agent: one",
      "outside: in place",
      "outside: replaced",
      "outside: (removed)",
      "outside: again",
    ]);
  });

  it("sees an edit of the same length in the same instant", async () => {
    const { file, tree } = await createTree();
    for (const [mine, theirs] of [
      ["aaa", "bbb"],
      ["ccc", "ddd"],
    ] as const) {
      must(await tree.write("a.md", mine, own));
      await writeFile(file, theirs);
      expect(must(await tree.read("a.md")).text).toBe(theirs);
    }
  });

  it("keeps a return to the very text of an older version, in place or by replacement", async () => {
    const { file, tree } = await createTree();
    for (const text of ["one", "two", "three"]) must(await tree.write("a.md", text, own));
    await writeFile(file, "one");
    expect(must(await tree.read("a.md")).version).toMatchObject({ version: 4, author: "outside" });
    await writeFile(file, "two");
    await writeFile(file, "three");
    expect(must(await tree.read("a.md")).version.version).toBe(5);
    await writeFile(`${file}.new`, "two");
    await rename(`${file}.new`, file);
    expect(must(await tree.read("a.md"))).toMatchObject({ text: "two", version: { version: 6 } });
    await writeFile(file, "three");
    expect((await story(tree)).slice(3)).toEqual([
      "outside: one",
      "outside: three",
      "outside: two",
      "outside: three",
    ]);
  });

  it("takes a file that was moved away as removed, and one that was moved back as new", async () => {
    const { folder, file, tree } = await createTree();
    must(await tree.write("a.md", "one", own));
    await rename(file, `${folder}/b.md`);
    expect(must(await tree.list()).map(({ path, author }) => [path, author])).toEqual([["b.md", "outside"]]);
    await rename(`${folder}/b.md`, file);
    expect(must(await tree.list()).map(({ path }) => path)).toEqual(["a.md"]);
    expect(await story(tree)).toEqual(["agent: one", "outside: (removed)", "outside: one"]);
    expect(await story(tree, "b.md")).toEqual(["outside: one", "outside: (removed)"]);
  });

  it("makes no version of a look, or of saving what was there", async () => {
    const { file, tree } = await createTree();
    must(await tree.write("a.md", "one", own));
    await writeFile(file, "one");
    await writeFile(`${file}.new`, "one");
    await rename(`${file}.new`, file);
    must(await tree.list());
    must(await tree.read("a.md"));
    expect(await story(tree)).toEqual(["agent: one"]);
  });

  it("leaves an adopted file in place, so that a program that appends to it goes on", async () => {
    const { file, tree } = await createTree();
    await writeFile(file, "a\n");
    const before = (await stat(file)).ino;
    must(await tree.read("a.md"));
    await appendFile(file, "b\n");
    expect(must(await tree.read("a.md")).text).toBe("a\nb\n");
    expect((await stat(file)).ino).toBe(before);
  });

  it("refuses a stale write after someone's edit, and puts an unconditional one on top of it", async () => {
    const { file, tree } = await createTree();
    must(await tree.write("a.md", "one", own));
    await writeFile(file, "theirs");
    const stale = await tree.write("a.md", "two", { ...own, expect: 1 });
    expect(!stale.ok && [stale.error.code, stale.error.facts]).toEqual([
      "conflict",
      { expected: 1, present: 2 },
    ]);
    must(await tree.write("a.md", "three", own));
    expect(await story(tree)).toEqual(["agent: one", "outside: theirs", "agent: three"]);
  });

  it.each([
    ["not valid UTF-8", "corrupt", Buffer.from([0x61, 0xff, 0x62])],
    ["over the limit", "too-large", Buffer.alloc(maxTreeFileBytes + 1, 0x61)],
  ] as const)("leaves a text that is %s alone, and serves its history", async (_, code, content) => {
    const { file, tree, problems } = await createTree();
    must(await tree.write("a.md", "one", own));
    must(await tree.write("b.md", "other", own));
    await writeFile(file, content);
    for (const answer of [
      await tree.read("a.md"),
      await tree.write("a.md", "two", own),
      await tree.remove("a.md", own),
    ]) {
      expect(refused(answer)).toBe(code);
      expect(!answer.ok && [answer.error.path, typeof answer.error.fix]).toEqual([file, "string"]);
    }
    expect((await stat(file)).size).toBe(content.length);
    expect(await story(tree)).toEqual(["agent: one"]);
    expect(must(await tree.list()).map(({ path }) => path)).toEqual(["a.md", "b.md"]);
    expect(problems).toContain(`${code} a.md`);
    await writeFile(file, "better");
    expect(await story(tree)).toEqual(["agent: one", "outside: better"]);
  });

  it("takes a folder in place of a file as its removal, and does not write into it", async () => {
    const { file, tree } = await createTree();
    must(await tree.write("a.md", "one", own));
    await rm(file);
    await mkdir(file);
    expect(refused(await tree.read("a.md"))).toBe("not-found");
    expect(refused(await tree.write("a.md", "two", own))).toBe("is-directory");
    await rm(file, { recursive: true });
    must(await tree.write("a.md", "two", { ...own, expect: 0 }));
    expect(await story(tree)).toEqual(["agent: one", "outside: (removed)", "agent: two"]);
  });

  it("passes over hidden files, and says which other names it cannot take", async () => {
    const { folder, tree, problems } = await createTree();
    await mkdir(`${folder}/.git`);
    for (const name of [".git/config", ".a.md.swp", "a.md~", "what?.md", "ok.md"]) {
      await writeFile(`${folder}/${name}`, "x");
    }
    expect(must(await tree.list()).map(({ path }) => path)).toEqual(["ok.md"]);
    expect(problems).toEqual(["invalid-path a.md~", "invalid-path what?.md"]);
  });
});
