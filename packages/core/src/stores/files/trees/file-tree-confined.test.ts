import { describe, expect, it } from "vitest";
import { openVirtualTree, treeFolder } from "../../../../../../test/support/tree-schedules.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import type { FileTree } from "../../../spec/index.ts";

const own = { author: "agent" } as const;
const secret = "/secret/file.md";

function createDisk() {
  const disk = createVirtualDisk();
  disk.writeWhole(secret, "secret");
  disk.writeWhole(`${treeFolder}/present.md`, "present");
  return disk;
}

async function everyAnswer(tree: FileTree, path: string): Promise<readonly string[]> {
  return [
    refused(await tree.read(path)),
    refused(await tree.write(path, "mine", own)),
    refused(await tree.write(path, "mine", { ...own, expect: 0 })),
    refused(await tree.remove(path, own)),
    refused(await tree.history(path)),
  ];
}

describe("file tree, when someone plants symbolic links", () => {
  it.each([
    ["the file itself", "/a.md", secret, "a.md"],
    ["a dangling file", "/a.md", "/secret/new.md", "a.md"],
    ["a parent folder", "/notes", "/secret", "notes/file.md"],
    ["a relative parent folder", "/notes", "../../secret", "notes/file.md"],
    ["the folder of all histories", "/.history", "/secret", "a.md"],
  ])("refuses %s in every call, and touches nothing behind it", async (_, link, target, path) => {
    const disk = createDisk();
    disk.plantLink(`${treeFolder}${link}`, target);
    const tree = openVirtualTree(disk);
    expect(new Set(await everyAnswer(tree, path))).toEqual(new Set(["invalid-path"]));
    expect([...disk.snapshot().keys()].filter((file) => file.startsWith("/secret"))).toEqual([secret]);
    expect(Buffer.from(disk.readWhole(secret)).toString()).toBe("secret");
  });

  it.each(["a.md", "a.md/copies"])("refuses a link in the place of the history's %s", async (inner) => {
    const disk = createDisk();
    if (inner.includes("/")) await disk.makeDirectory(`${treeFolder}/.history/a.md`);
    else await disk.makeDirectory(`${treeFolder}/.history`);
    disk.plantLink(`${treeFolder}/.history/${inner}`, "/secret");
    const answers = await everyAnswer(openVirtualTree(disk), "a.md");
    expect(new Set([...answers, refused(await openVirtualTree(disk).read("a.md", 1))])).toEqual(
      new Set(["invalid-path"]),
    );
    expect([...disk.snapshot().keys()].filter((file) => file.startsWith("/secret"))).toEqual([secret]);
  });

  it("reads no version through a link, and never uses its number again", async () => {
    const disk = createDisk();
    const tree = openVirtualTree(disk);
    must(await tree.write("a.md", "one", own));
    disk.plantLink(`${treeFolder}/.history/a.md/2`, secret);
    expect(refused(await tree.read("a.md", 2))).toBe("invalid-path");
    expect(must(await tree.write("a.md", "three", own)).version).toBe(3);
    expect(Buffer.from(disk.readWhole(secret)).toString()).toBe("secret");
  });

  it("lists the rest without following them, and says so", async () => {
    const disk = createDisk();
    disk.plantLink(`${treeFolder}/a.md`, secret);
    disk.plantLink(`${treeFolder}/notes`, "/secret");
    const problems: (string | undefined)[] = [];
    const tree = openVirtualTree(disk, { onProblem: ({ path }) => problems.push(path) });
    expect(must(await tree.list()).map(({ path }) => path)).toEqual(["present.md"]);
    expect(problems).toEqual([`${treeFolder}/a.md`, `${treeFolder}/notes`]);
  });

  it("works behind a link that leads to the tree's own folder", async () => {
    const disk = createDisk();
    disk.plantLink("/linked", treeFolder);
    const tree = openVirtualTree(disk, { folder: "/linked" });
    must(await tree.write("a.md", "one", own));
    expect(must(await openVirtualTree(disk).read("a.md")).text).toBe("one");
  });
});
