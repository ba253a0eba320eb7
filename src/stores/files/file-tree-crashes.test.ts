import { describe, expect, it } from "vitest";
import type { FileTree, Result } from "../../spec/index.ts";
import { must } from "../../testing/conformance/outcomes.ts";
import { createSeededRandom } from "../../testing/seeded-random.ts";
import { createVirtualClock } from "../../testing/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../testing/virtual-disk.ts";
import { createVirtualIds } from "../../testing/virtual-ids.ts";
import { enumeratePowerLosses } from "../../testing/virtual-power-losses.ts";
import { createFileTree } from "./file-tree.ts";

const folder = "/home/memory";
const visible = `${folder}/notes/a.md`;
const path = "notes/a.md";
const tree = { author: "tree" } as const;

let trees = 0;
function open(disk: VirtualDisk, durable = true): FileTree {
  trees += 1;
  const clock = createVirtualClock();
  return createFileTree({ disk, folder, clock, ids: createVirtualIds(`p${trees}-`), durable });
}

/** A state of the file: its text, or `null` where it is not there. */
type State = string | null;

interface Scenario {
  readonly name: string;
  prepare(disk: VirtualDisk): Promise<void>;
  act(own: FileTree): Promise<Result<unknown>>;
  readonly before: State;
  readonly after: State;
  /** Versions by `outside` that belong into the history. */
  readonly strangers?: number;
}

const write = async (disk: VirtualDisk, ...texts: readonly string[]) => {
  for (const text of texts) must(await open(disk).write(path, text, tree));
};

const scenarios: readonly Scenario[] = [
  {
    name: "the first write",
    prepare: async () => undefined,
    act: (own) => own.write(path, "one", tree),
    before: null,
    after: "one",
  },
  {
    name: "a write over another",
    prepare: (disk) => write(disk, "zero", "one"),
    act: (own) => own.write(path, "two", { ...tree, expect: 2 }),
    before: "one",
    after: "two",
  },
  {
    name: "a write of the same text",
    prepare: (disk) => write(disk, "one"),
    act: (own) => own.write(path, "one", tree),
    before: "one",
    after: "one",
  },
  {
    name: "a removal",
    prepare: (disk) => write(disk, "one"),
    act: (own) => own.remove(path, tree),
    before: "one",
    after: null,
  },
  {
    name: "a write after a removal",
    async prepare(disk) {
      await write(disk, "one");
      must(await open(disk).remove(path, tree));
    },
    act: (own) => own.write(path, "two", tree),
    before: null,
    after: "two",
  },
  {
    name: "a write over a stranger's text",
    async prepare(disk) {
      await write(disk, "zero");
      disk.writeWhole(visible, "a stranger's");
    },
    act: (own) => own.write(path, "two", tree),
    before: "a stranger's",
    after: "two",
    strangers: 1,
  },
  {
    name: "a read of a stranger's file",
    prepare: async (disk) => disk.writeWhole(visible, "a stranger's"),
    act: (own) => own.read(path),
    before: "a stranger's",
    after: "a stranger's",
    strangers: 1,
  },
];

async function stateOf(own: FileTree): Promise<State> {
  const read = await own.read(path);
  if (!read.ok) expect(read.error.code).toBe("not-found");
  return read.ok ? read.value.text : null;
}

/** Whatever was interrupted, the next process finds one of the two states, a whole history, and can go on. */
async function checkAfter(disk: VirtualDisk, states: readonly State[], strangers: number): Promise<State> {
  const own = open(disk);
  const state = await stateOf(own);
  expect(states).toContain(state);
  const history = must(await own.history(path));
  expect(history.map(({ version }) => version)).toEqual(history.map((_, index) => index + 1));
  expect(history.filter(({ author }) => author === "outside")).toHaveLength(strangers);
  for (const { version, removed } of history) if (!removed) must(await own.read(path, version));
  expect(must(await own.list()).map((listed) => listed.path)).toEqual(state === null ? [] : [path]);
  const shown = disk.snapshot().get(visible);
  expect(shown === undefined ? null : Buffer.from(shown).toString()).toBe(state);
  const next = must(await own.write(path, "next", { ...tree, expect: state === null ? 0 : history.length }));
  expect(next.version).toBe(history.length + 1);
  expect(await stateOf(open(disk))).toBe("next");
  return state;
}

async function prepared(scenario: Scenario): Promise<VirtualDisk> {
  const disk = createVirtualDisk();
  await scenario.prepare(disk);
  return disk.attach();
}

async function countOperations(scenario: Scenario): Promise<number> {
  const disk = await prepared(scenario);
  must(await scenario.act(open(disk)));
  return disk.operations.length;
}

describe.each(scenarios)("file tree, when $name is interrupted", (scenario) => {
  const strangers = scenario.strangers ?? 0;
  const either = [scenario.before, scenario.after];

  async function interrupted(at: number, partial: number) {
    const disk = await prepared(scenario);
    disk.crashAt(at, { partial });
    const result = await scenario.act(open(disk));
    return { disk, states: result.ok ? [scenario.after] : either };
  }

  it("is as before or as after, when the process dies at any operation", async () => {
    const operations = await countOperations(scenario);
    for (let at = 0; at < operations; at += 1) {
      for (const partial of [0, Number.POSITIVE_INFINITY]) {
        const { disk, states } = await interrupted(at, partial);
        await checkAfter(disk.afterProcessCrash(), states, strangers);
      }
    }
  });

  it("is as before or as after, when power is lost at any operation; what was acknowledged stays", async () => {
    const operations = await countOperations(scenario);
    for (let at = 0; at <= operations; at += 1) {
      const { disk, states } = await interrupted(at, Number.POSITIVE_INFINITY);
      for (const { disk: after, answers } of enumeratePowerLosses(disk, 12, at)) {
        await checkAfter(after, states, strangers).catch((cause: unknown) => {
          throw new Error(`operation ${at}: ${JSON.stringify(answers)}`, { cause });
        });
      }
    }
  });

  it("is as before or as after, when the process that repairs it dies too", async () => {
    const operations = await countOperations(scenario);
    const random = createSeededRandom(7);
    for (let at = 0; at < operations; at += 1) {
      const { disk, states } = await interrupted(at, Number.POSITIVE_INFINITY);
      const next = disk.afterProcessCrash();
      next.crashAt(random.below(30), { partial: Number.POSITIVE_INFINITY });
      await open(next).read(path);
      for (const { disk: after } of enumeratePowerLosses(next, 2, at)) await checkAfter(after, either, strangers);
      await checkAfter(next.afterProcessCrash(), states, strangers);
    }
  });

  it("answers with a typed error or goes on, when any one operation fails, and loses nothing", async () => {
    const operations = await countOperations(scenario);
    for (const code of ["io", "disk-full", "permission"] as const) {
      for (let at = 0; at < operations; at += 1) {
        const disk = await prepared(scenario);
        disk.failAt(at, code);
        const result = await scenario.act(open(disk));
        if (!result.ok) expect(result.error.code).toBe(code);
        await checkAfter(disk.attach(), result.ok ? [scenario.after] : either, strangers);
      }
    }
  });
});
