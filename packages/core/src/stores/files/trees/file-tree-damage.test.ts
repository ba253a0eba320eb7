import { cp, rm, writeFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../../../../../../test/support/temporary-folder.ts";
import {
  openVirtualTree,
  treeFolder,
  visibleText,
  wholeHistory,
} from "../../../../../../test/support/tree-schedules.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import { createRuntime } from "../../../runtime.ts";
import { createNodeDisk } from "../disk/node-disk.ts";
import { abandonedAfterMs } from "./apply-tree-step.ts";
import { createFileTree } from "./file-tree.ts";

const own = { author: "agent" } as const;
const versionFile = (number: number) => `${treeFolder}/.history/a.md/${number}`;
const copies = `${treeFolder}/.history/a.md/copies`;

async function threeVersions(disk: VirtualDisk) {
  const problems: string[] = [];
  const tree = openVirtualTree(disk, { onProblem: ({ code }) => problems.push(code) });
  for (const text of ["one", "two", "three"]) must(await tree.write("a.md", text, own));
  return { tree, problems };
}

const damages: readonly (readonly [string, (disk: VirtualDisk, file: string) => void])[] = [
  ["an empty file", (disk, file) => disk.writeWhole(file, "")],
  ["a cut file", (disk, file) => disk.writeWhole(file, disk.readWhole(file).slice(0, -1))],
  ["NUL bytes", (disk, file) => disk.fillWithNul(file, 0, disk.readWhole(file).length)],
  ["a broken header", (disk, file) => disk.flipByte(file, 0)],
  ["a header without its fields", (disk, file) => disk.writeWhole(file, '{"v":1}\n')],
  ["another version's file", (disk, file) => disk.writeWhole(file, disk.readWhole(versionFile(1)))],
];

describe("file tree with damaged versions", () => {
  it.each(damages)("says that a version with %s is corrupt, and serves all others", async (_, damage) => {
    const disk = createVirtualDisk();
    const { tree, problems } = await threeVersions(disk);
    damage(disk, versionFile(2));
    expect(refused(await tree.read("a.md", 2))).toBe("corrupt");
    expect(must(await tree.read("a.md", 1)).text).toBe("one");
    expect(must(await tree.read("a.md")).text).toBe("three");
    expect(must(await tree.history("a.md")).map(({ version }) => version)).toEqual([1, 3]);
    expect(problems).toEqual(["corrupt"]);
    expect(must(await tree.write("a.md", "four", { ...own, expect: 3 })).version).toBe(4);
  });

  it("notices a changed byte in the content", async () => {
    const disk = createVirtualDisk();
    const { tree } = await threeVersions(disk);
    disk.flipByte(versionFile(1), disk.readWhole(versionFile(1)).length - 1);
    const answer = await tree.read("a.md", 1);
    expect(!answer.ok && [answer.error.code, answer.error.path, typeof answer.error.fix]).toEqual([
      "corrupt",
      versionFile(1),
      "string",
    ]);
  });

  it.each(damages)(
    "never reuses the number of a newest version with %s, and goes on above it",
    async (_, damage) => {
      const disk = createVirtualDisk();
      const { tree, problems } = await threeVersions(disk);
      damage(disk, versionFile(3));
      expect(refused(await tree.read("a.md"))).toBe("corrupt");
      expect(must(await tree.list())).toEqual([]);
      expect(problems).toContain("corrupt");
      expect(visibleText(disk, "a.md")).toBe("three");
      expect(must(await tree.write("a.md", "four", { ...own, expect: 3 })).version).toBe(4);
      expect(must(await tree.read("a.md")).text).toBe("four");
      expect(visibleText(disk, "a.md")).toBe("four");
    },
  );

  it("serves the newest text from the visible file, if only the version's content is damaged", async () => {
    const disk = createVirtualDisk();
    const { tree } = await threeVersions(disk);
    disk.flipByte(versionFile(3), disk.readWhole(versionFile(3)).length - 1);
    expect(must(await tree.read("a.md")).text).toBe("three");
    expect(refused(await tree.read("a.md", 3))).toBe("corrupt");
  });

  it("does not touch what a newer version of the program wrote", async () => {
    const disk = createVirtualDisk();
    const { tree } = await threeVersions(disk);
    disk.writeWhole(versionFile(4), '{"v":2,"version":4}\nfour');
    expect(refused(await tree.read("a.md"))).toBe("newer-format");
    expect(refused(await tree.write("a.md", "five", own))).toBe("newer-format");
    expect(must(await tree.read("a.md", 3)).text).toBe("three");
  });

  it("says that an unreadable disk is unreadable, not that the file is absent", async () => {
    for (const name of ["stat", "list", "open", "read"] as const) {
      const disk = createVirtualDisk();
      await threeVersions(disk);
      const failing = disk.attach();
      failing.failWhen((operation) => operation.name === name, "io");
      const tree = openVirtualTree(failing);
      expect([refused(await tree.read("a.md")), refused(await tree.list())]).toEqual(["io", "io"]);
    }
  });
});

describe("file tree after someone tidied up", () => {
  it("goes on in a copy of its folder, in which no two names are one file any more", async () => {
    const folder = await temporaryFolder();
    const open = (name: string) =>
      createFileTree({ ...createRuntime(), disk: createNodeDisk(), folder: `${folder}/${name}` });
    for (const text of ["one", "two"]) must(await open("a").write("a.md", text, own));
    must(await open("a").write("gone.md", "x", own));
    must(await open("a").remove("gone.md", own));
    await cp(`${folder}/a`, `${folder}/b`, { recursive: true });
    const tree = open("b");
    must(await tree.write("a.md", "three", { ...own, expect: 2 }));
    await writeFile(`${folder}/b/a.md`, "four");
    const texts = (await wholeHistory(tree, "a.md")).map(({ author, text }) => `${author}: ${text}`);
    expect(texts).toEqual(["agent: one", "agent: two", "agent: three", "outside: four"]);
    expect(must(await tree.list()).map(({ path }) => path)).toEqual(["a.md"]);
    await rm(`${folder}/b/.history`, { recursive: true });
    expect((await wholeHistory(tree, "a.md")).map(({ text }) => text)).toEqual(["four"]);
  });

  it("keeps few second names, however often it writes, and no temporary file for ever", async () => {
    const disk = createVirtualDisk();
    const clock = createVirtualClock();
    const crashing = disk.attach();
    const crashed = openVirtualTree(crashing, { clock });
    must(await crashed.write("a.md", "start", own));
    crashing.failWhen(({ name }) => name === "rename" || name === "remove", "io");
    await crashed.write("a.md", "left behind", own);
    const named = async () => must(await disk.list(copies)).filter((name) => !name.startsWith("temporary."));
    const temporary = async () =>
      must(await disk.list(copies)).filter((name) => name.startsWith("temporary."));
    expect(await temporary()).not.toEqual([]);
    clock.jump(abandonedAfterMs + 1000);
    const tree = openVirtualTree(disk, { clock });
    for (let count = 0; count < 40; count += 1) must(await tree.write("a.md", `text ${count}`, own));
    expect(await temporary()).toEqual([]);
    expect((await named()).length).toBeLessThan(12);
  });
});
