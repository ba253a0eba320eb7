import { describe, expect, it } from "vitest";
import {
  openVirtualTree,
  treeFolder,
  visibleText,
  wholeHistory,
} from "../../../../../../test/support/tree-schedules.ts";
import { must } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualDisk, type VirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import { enumeratePowerLosses } from "../../../../../testing/src/virtual-power-losses.ts";
import type { FileTree, Result } from "../../../spec/index.ts";

const path = "notes/a.md";
const own = { author: "tree" } as const;

/** A state of the file: its text, or `null` where it is not there. */
type State = string | null;

interface Scenario {
  readonly name: string;
  prepare(disk: VirtualDisk): Promise<void>;
  act(tree: FileTree): Promise<Result<unknown>>;
  readonly before: State;
  readonly after: State;
  /** Versions by `outside` that belong into the history. */
  readonly strangers?: number;
}

const write = async (disk: VirtualDisk, ...texts: readonly string[]) => {
  for (const text of texts) must(await openVirtualTree(disk).write(path, text, own));
};

const scenarios: readonly Scenario[] = [
  {
    name: "the first write",
    prepare: async () => undefined,
    act: (tree) => tree.write(path, "one", own),
    before: null,
    after: "one",
  },
  {
    name: "a write over another",
    prepare: (disk) => write(disk, "zero", "one"),
    act: (tree) => tree.write(path, "two", { ...own, expect: 2 }),
    before: "one",
    after: "two",
  },
  {
    name: "a write of the same text",
    prepare: (disk) => write(disk, "one"),
    act: (tree) => tree.write(path, "one", own),
    before: "one",
    after: "one",
  },
  {
    name: "a removal",
    prepare: (disk) => write(disk, "one"),
    act: (tree) => tree.remove(path, own),
    before: "one",
    after: null,
  },
  {
    name: "a write after a removal",
    async prepare(disk) {
      await write(disk, "one");
      must(await openVirtualTree(disk).remove(path, own));
    },
    act: (tree) => tree.write(path, "two", own),
    before: null,
    after: "two",
  },
  {
    name: "a write over a stranger's text",
    async prepare(disk) {
      await write(disk, "zero");
      disk.writeWhole(`${treeFolder}/${path}`, "a stranger's");
    },
    act: (tree) => tree.write(path, "two", own),
    before: "a stranger's",
    after: "two",
    strangers: 1,
  },
  {
    name: "a read of a stranger's file",
    prepare: async (disk) => disk.writeWhole(`${treeFolder}/${path}`, "a stranger's"),
    act: (tree) => tree.read(path),
    before: "a stranger's",
    after: "a stranger's",
    strangers: 1,
  },
];

const changing = new Set(["append", "link", "makeDirectory", "remove", "rename", "sync", "syncDirectory"]);

/** Whatever was interrupted, the next process finds one of the two states, a whole history, and can go on. */
async function checkAfter(disk: VirtualDisk, states: readonly State[], strangers: number): Promise<void> {
  const tree = openVirtualTree(disk);
  const read = await tree.read(path);
  if (!read.ok) expect(read.error.code).toBe("not-found");
  const state = read.ok ? read.value.text : null;
  expect(states).toContain(state);
  const history = await wholeHistory(tree, path);
  expect(history.at(-1)?.text ?? null).toBe(state);
  expect(history.filter(({ author }) => author === "outside")).toHaveLength(strangers);
  expect(visibleText(disk, path)).toBe(state);
  const next = await tree.write(path, "next", { ...own, expect: state === null ? 0 : history.length });
  expect(must(next).version).toBe(history.length + 1);
  expect(must(await openVirtualTree(disk).list())).toEqual([must(next)]);
}

describe.each(scenarios)(
  "file tree, when $name is interrupted",
  ({ prepare, act, before, after, strangers = 0 }) => {
    async function prepared(): Promise<VirtualDisk> {
      const disk = createVirtualDisk();
      await prepare(disk);
      return disk.attach();
    }

    /** The operations of the work, when nothing interrupts it. */
    async function rehearse() {
      const disk = await prepared();
      must(await act(openVirtualTree(disk)));
      return disk.operations;
    }

    async function interrupted(at: number) {
      const disk = await prepared();
      disk.crashAt(at, { partial: Number.POSITIVE_INFINITY });
      const result = await act(openVirtualTree(disk));
      return { disk, states: result.ok ? [after] : [before, after] };
    }

    it("is as before or as after, when the process or the power goes; what was acknowledged stays", async () => {
      const operations = await rehearse();
      for (const { index } of operations.filter(({ name, how }) => changing.has(name) || how === "create")) {
        const { disk, states } = await interrupted(index);
        await checkAfter(disk.afterProcessCrash(), states, strangers);
        for (const { disk: next, answers } of enumeratePowerLosses(disk, 3, index)) {
          await checkAfter(next, states, strangers).catch((cause: unknown) => {
            throw new Error(`operation ${index}: ${JSON.stringify(answers)}`, { cause });
          });
        }
      }
      const done = await interrupted(operations.length);
      for (const { disk: next } of enumeratePowerLosses(done.disk, 20))
        await checkAfter(next, [after], strangers);
    });

    it("is as before or as after, when the process that repairs it goes too", async () => {
      const operations = await rehearse();
      for (const { index } of operations.filter(({ name }) => changing.has(name))) {
        const { disk, states } = await interrupted(index);
        const next = disk.afterProcessCrash();
        next.crashAt(12 + (index % 30), { partial: Number.POSITIVE_INFINITY });
        await openVirtualTree(next).read(path);
        await checkAfter(next.afterProcessCrash(), states, strangers);
        for (const { disk: last } of enumeratePowerLosses(next, 2, index)) {
          await checkAfter(last, [before, after], strangers);
        }
      }
    });

    it("goes on or answers with a typed error, when any one operation fails, and loses nothing", async () => {
      const codes = ["io", "disk-full", "permission"] as const;
      for (const { index } of await rehearse()) {
        const code = codes[index % codes.length] ?? "io";
        const disk = await prepared();
        disk.failAt(index, code);
        const result = await act(openVirtualTree(disk));
        if (!result.ok) expect(result.error.code).toBe(code);
        await checkAfter(disk.attach(), result.ok ? [after] : [before, after], strangers);
      }
    });
  },
);

describe("file tree on a full disk", () => {
  it("refuses writes, keeps and serves what is there, and goes on when there is room again", async () => {
    const disk = createVirtualDisk();
    const tree = openVirtualTree(disk);
    must(await tree.write(path, "one", own));
    disk.setCapacity(0);
    const refused = await tree.write(path, "two", { ...own, expect: 1 });
    expect(refused.ok || refused.error.code).toBe("disk-full");
    expect(must(await tree.read(path)).text).toBe("one");
    disk.setCapacity(Number.POSITIVE_INFINITY);
    await checkAfter(disk, ["one"], 0);
  });

  it("acknowledges a version that fits even if its visible copy does not, and mends that later", async () => {
    const disk = createVirtualDisk();
    must(await openVirtualTree(disk).write(path, "one", own));
    const problems: string[] = [];
    const full = disk.attach();
    full.failWhen(({ name, path: file }) => name === "append" && file.includes("copy_"), "disk-full");
    const tree = openVirtualTree(full, { onProblem: ({ code }) => problems.push(code) });
    expect(must(await tree.write(path, "two", own)).version).toBe(2);
    expect([visibleText(disk, path), must(await tree.read(path)).text]).toEqual(["one", "two"]);
    expect(problems).toContain("disk-full");
    expect(must(await openVirtualTree(disk).read(path)).text).toBe("two");
    expect(visibleText(disk, path)).toBe("two");
  });
});
