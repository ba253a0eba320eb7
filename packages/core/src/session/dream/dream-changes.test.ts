import { describe, expect, it } from "vitest";
import { memoryText, plainFormat } from "../../../../../test/support/memory-format.ts";
import { createVirtualStore } from "../../../../../test/support/virtual-store.ts";
import { must, refused } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../../../testing/src/virtual-processes.ts";
import type { Change } from "../../layers/6-dream/rules/change-set.ts";
import type { GuardOptions } from "../../layers/6-dream/rules/check-guards.ts";
import type { SnapshotFile } from "../../layers/6-dream/rules/snapshot.ts";
import { dreamNumbers } from "../../layers/6-dream/settings.ts";
import type { ConsolidateLock, FileTree } from "../../spec/index.ts";
import { createDreamChanges } from "./dream-changes.ts";

const id = "dream_1";
const guards: GuardOptions = {
  parse: plainFormat.parse,
  checkIndex: () => null,
  findSecrets: (text) => text.match(/key-\d+/g) ?? [],
  maxRemovedPercent: dreamNumbers.maxRemovedPercent,
};

const texts = {
  "a.md": memoryText("A as it was."),
  "b.md": memoryText("B as it was."),
  "c.md": memoryText("C as it was."),
  "d.md": memoryText("D as it was."),
};

const changes: readonly Change[] = [
  { kind: "write", path: "a.md", expect: 1, text: memoryText("A and B."), reason: "merged with b.md" },
  { kind: "remove", path: "b.md", expect: 1, reason: "merged into a.md" },
  { kind: "write", path: "c.md", expect: 2, text: memoryText("C, corrected."), reason: "corrected" },
  { kind: "write", path: "e.md", expect: 0, text: memoryText("E is new."), reason: "new" },
];
const changeSet = { id, at: "2026-01-05T00:00:00.000Z", by: "scribe", changes, flags: [] } as const;

const after = {
  "a.md": memoryText("A and B."),
  "c.md": memoryText("C, corrected."),
  "d.md": texts["d.md"],
  "e.md": memoryText("E is new."),
};

const world = createVirtualProcesses();

/** One process after the other over one disk: each is gone when the next one comes. */
function openProcess(disk: VirtualDisk) {
  const processes = world.spawn();
  const clock = createVirtualClock({ startMs: Date.UTC(2026, 0, 5) + processes.identity.pid * 10_000 });
  const store = createVirtualStore({ disk, clock, processes });
  const memory = store.tree("memory");
  const lock = store.consolidateLock as ConsolidateLock;
  const dreams = createDreamChanges({ memory, dreams: store.tree("dreams"), lock });
  return { memory, lock, dreams, exit: () => processes.exit() };
}

async function prepared() {
  const disk = createVirtualDisk();
  const first = openProcess(disk);
  for (const [path, text] of Object.entries(texts))
    must(await first.memory.write(path, text, { author: "agent" }));
  must(await first.memory.write("c.md", texts["c.md"], { author: "user" }));
  return { disk, ...first };
}

async function textsOf(memory: FileTree): Promise<Readonly<Record<string, string>>> {
  const read = must(await memory.list()).map(async ({ path }) => [path, must(await memory.read(path)).text]);
  return Object.fromEntries(await Promise.all(read));
}

async function snapshotOf(memory: FileTree): Promise<readonly SnapshotFile[]> {
  const files = must(await memory.list());
  return Promise.all(
    files.map(async ({ path, version, at }) => ({
      path,
      version,
      at,
      text: must(await memory.read(path)).text,
    })),
  );
}

const edit = (memory: FileTree, path: string) => memory.write(path, "by hand", { author: "user" });

describe("dream changes", () => {
  it("are applied as one group of versions", async () => {
    const { memory, dreams } = await prepared();
    const record = must(await dreams.apply(changeSet, await snapshotOf(memory), guards));
    expect([record.state, await textsOf(memory)]).toEqual(["applied", after]);
    for (const { path } of changes) {
      expect(must(await memory.history(path)).at(-1)).toMatchObject({
        author: "dream",
        source: `dream:${id}`,
      });
    }
    expect(must(await dreams.list())).toEqual([{ id, state: "applied", at: changeSet.at, changes: 4 }]);
  });

  it("are taken back whole", async () => {
    const { memory, dreams } = await prepared();
    must(await dreams.apply(changeSet, await snapshotOf(memory), guards));
    expect(must(await dreams.revert(id))).toMatchObject({ state: "reverted", kept: [] });
    expect(await textsOf(memory)).toEqual(texts);
    expect(must(await memory.history("b.md")).at(-1)).toMatchObject({
      author: "user",
      source: `undo:dream:${id}`,
    });
    expect(refused(await dreams.revert(id))).toBe("invalid-input");
  });

  it("are taken back but for files changed since, which are named", async () => {
    const { memory, dreams } = await prepared();
    must(await dreams.apply(changeSet, await snapshotOf(memory), guards));
    must(await edit(memory, "a.md"));
    must(await edit(memory, "b.md"));
    expect(must(await dreams.revert(id))).toMatchObject({ state: "reverted", kept: ["a.md", "b.md"] });
    expect(await textsOf(memory)).toEqual({ ...texts, "a.md": "by hand", "b.md": "by hand" });
  });

  it("wait for review where a guard refuses, and are applied when a person wants it", async () => {
    const { memory, dreams } = await prepared();
    const strict = { ...guards, maxRemovedPercent: 20 };
    const kept = must(await dreams.apply(changeSet, await snapshotOf(memory), strict));
    expect(kept).toMatchObject({ state: "review", reasons: [{ guard: "removals" }] });
    expect(await textsOf(memory)).toEqual(texts);
    expect(must(await dreams.show(id)).changeSet).toEqual(changeSet);
    expect(refused(await dreams.revert(id))).toBe("invalid-input");
    expect(must(await dreams.applyReviewed(id)).state).toBe("applied");
    expect(await textsOf(memory)).toEqual(after);
    expect(refused(await dreams.applyReviewed(id))).toBe("invalid-input");
    expect(refused(await dreams.discard(id))).toBe("invalid-input");
  });

  it("are forgotten when a person discards them", async () => {
    const { memory, dreams } = await prepared();
    must(
      await dreams.apply(changeSet, await snapshotOf(memory), { ...guards, checkIndex: () => "too long" }),
    );
    must(await dreams.discard(id));
    expect(must(await dreams.list())).toEqual([]);
    expect([refused(await dreams.show(id)), refused(await dreams.discard(id))]).toEqual([
      "not-found",
      "not-found",
    ]);
    expect(await textsOf(memory)).toEqual(texts);
  });

  it.each(["a.md", "b.md", "c.md", "e.md"])("wait where %s was changed since it was read", async (path) => {
    const { memory, dreams } = await prepared();
    const before = await snapshotOf(memory);
    must(await edit(memory, path));
    const record = must(await dreams.apply(changeSet, before, guards));
    expect(record).toMatchObject({ state: "review", reasons: [{ guard: "conflict", path }] });
    expect(await textsOf(memory)).toEqual({ ...texts, [path]: "by hand" });
    expect(refused(await dreams.applyReviewed(id))).toBe("conflict");
  });

  it.each(["b.md", "c.md", "e.md"])(
    "are withdrawn where %s is changed while they are applied, and can be applied later",
    async (path) => {
      const { disk, memory } = await prepared();
      const before = await snapshotOf(memory);
      const original =
        must(await memory.history(path)).length > 0 ? must(await memory.read(path)).text : null;
      const { memory: through, lock } = openProcess(disk);
      const store = createVirtualStore({ disk });
      let isEdited = false;
      const raced: FileTree = {
        ...through,
        async write(at, text, given) {
          const written = await through.write(at, text, given);
          if (at === "a.md" && !isEdited) must(await edit(memory, path));
          isEdited = true;
          return written;
        },
      };
      const dreams = createDreamChanges({ memory: raced, dreams: store.tree("dreams"), lock });
      const record = must(await dreams.apply(changeSet, before, guards));
      expect(record).toMatchObject({ state: "review", reasons: [{ guard: "conflict", path }], kept: [] });
      expect(await textsOf(memory)).toEqual({ ...texts, [path]: "by hand" });
      must(
        original === null
          ? await memory.remove(path, { author: "user" })
          : await memory.write(path, original, { author: "user" }),
      );
      expect(must(await dreams.applyReviewed(id)).state).toBe("applied");
      expect(await textsOf(memory)).toEqual(after);
      must(await dreams.revert(id));
      expect(await textsOf(memory)).toEqual(texts);
    },
  );

  it("of two dreams over one file end with one applied and one waiting", async () => {
    const { memory, dreams } = await prepared();
    const before = await snapshotOf(memory);
    must(await dreams.apply(changeSet, before, guards));
    const second = { ...changeSet, id: "dream_2" };
    expect(must(await dreams.apply(second, before, guards)).state).toBe("review");
    expect(refused(await dreams.apply(changeSet, before, guards))).toBe("conflict");
    expect(await textsOf(memory)).toEqual(after);
  });

  it("need the lock for what a person does", async () => {
    const { lock, memory, dreams } = await prepared();
    must(await dreams.apply(changeSet, await snapshotOf(memory), guards));
    const held = must(await lock.acquire());
    expect(refused(await dreams.revert(id))).toBe("held");
    must(await held.abandon());
    must(await dreams.revert(id));
    expect(must(await lock.lastConsolidatedMs())).toBe(null);
  });

  it.each(["", "{", "null", '{"format":1}', '{"format":2,"state":"applied","reasons":[],"kept":[]}'])(
    "list a record that reads %j without a state, and can discard it",
    async (text) => {
      const { disk, dreams } = await prepared();
      must(await createVirtualStore({ disk }).tree("dreams").write(`${id}.json`, text, { author: "user" }));
      expect(must(await dreams.list())).toEqual([{ id }]);
      expect(refused(await dreams.show(id))).toBe("corrupt");
      expect(must(await dreams.recover())).toEqual([]);
      must(await dreams.discard(id));
      expect(must(await dreams.list())).toEqual([]);
    },
  );
});

type Work = (process: ReturnType<typeof openProcess>) => Promise<unknown>;

async function applyHoldingLock({ memory, lock, dreams }: ReturnType<typeof openProcess>) {
  const held = await lock.acquire();
  if (!held.ok) return;
  const read = await memory.list();
  if (!read.ok) return;
  const before = read.value.map(({ path, version, at }) => ({ path, version, at, text: "" }));
  const applied = await dreams.apply(changeSet, before, { ...guards, parse: () => null });
  if (applied.ok) await held.value.complete();
}

const works: readonly { name: string; prepare: Work; work: Work; states: readonly object[] }[] = [
  { name: "applied", prepare: async () => undefined, work: applyHoldingLock, states: [texts, after] },
  {
    name: "taken back",
    prepare: applyHoldingLock,
    work: ({ dreams }) => dreams.revert(id),
    states: [after, texts],
  },
];

const everyThird = <T>(all: readonly T[]) => all.filter((_, at) => at % 3 === 0);
const changing = new Set(["append", "link", "rename", "remove", "makeDirectory", "setModified"]);

describe.each(works)(
  "dream changes that are being $name when the process dies",
  ({ prepare, work, states }) => {
    async function start() {
      const { disk, exit } = await prepared();
      exit();
      const former = openProcess(disk);
      await prepare(former);
      former.exit();
      return disk.attach();
    }

    async function operationsOfWork() {
      const disk = await start();
      await work(openProcess(disk));
      return disk.operations.filter(({ name, how }) => changing.has(name) || how === "create");
    }

    async function died(at: number) {
      const disk = await start();
      const process = openProcess(disk);
      disk.crashAt(at, { partial: Number.POSITIVE_INFINITY });
      await work(process);
      process.exit();
      return disk.afterProcessCrash();
    }

    /** The next process finds one of the two states, at rest, and each can still be left and entered. */
    async function check(disk: VirtualDisk) {
      const { memory, dreams } = openProcess(disk);
      must(await dreams.recover());
      expect(must(await dreams.recover())).toEqual([]);
      const found = await textsOf(memory);
      expect(states).toContainEqual(found);
      const [listing] = must(await dreams.list());
      const isAfter = JSON.stringify(found) === JSON.stringify(after);
      expect(["applied"].includes(listing?.state ?? "")).toBe(isAfter);
      if (isAfter) must(await dreams.revert(id));
      expect(await textsOf(memory)).toEqual(texts);
    }

    it("leave memory as before or as after", async () => {
      for (const { index } of await operationsOfWork()) await check(await died(index));
    });

    it("leave it so when the process that finishes them dies too", async () => {
      for (const { index } of everyThird(await operationsOfWork())) {
        const disk = await died(index);
        const second = openProcess(disk);
        disk.crashAt(20 + ((index * 37) % 300), { partial: Number.POSITIVE_INFINITY });
        await second.dreams.recover();
        second.exit();
        await check(disk.afterProcessCrash());
      }
    });

    it("leave it so when any one operation fails, once the next process has finished them", async () => {
      for (const { index } of everyThird(await operationsOfWork())) {
        const disk = await start();
        const process = openProcess(disk);
        disk.failAt(index, "io");
        await work(process);
        process.exit();
        await check(disk.attach());
      }
    });
  },
);
