import { describe, expect, it } from "vitest";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock, createVirtualIds } from "../../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import { enumeratePowerLosses } from "../../../../../testing/src/virtual-power-losses.ts";
import {
  createVirtualProcesses,
  type VirtualProcesses,
} from "../../../../../testing/src/virtual-processes.ts";
import type { Consolidation, Result } from "../../../spec/index.ts";
import { consolidationPatienceMs } from "../../shared/consolidate-lock.ts";
import { createFileConsolidateLock } from "./consolidate-lock.ts";

const folder = "/home/memory";
const path = `${folder}/.consolidate-lock`;
const startMs = Date.UTC(2026, 0, 5, 12);
const hourMs = 3_600_000;
let opened = 0;

/** Processes of one world over one disk and clock. */
function createWorld() {
  const clock = createVirtualClock({ startMs });
  const disk = createVirtualDisk({ clock });
  const first = createVirtualProcesses();
  const lockOf = (processes: VirtualProcesses, over: VirtualDisk = disk) => {
    opened += 1;
    return createFileConsolidateLock({
      disk: over,
      folder,
      clock,
      processes,
      ids: createVirtualIds(`p${opened}-`),
    });
  };
  return { disk, clock, first, lockOf };
}

type World = ReturnType<typeof createWorld>;

const names = (disk: VirtualDisk) => [...disk.snapshot().keys()].map((name) => name.slice(folder.length + 1));

describe("consolidate lock", () => {
  it("says when memory was last put in order: never, then when a holder succeeded", async () => {
    const { disk, clock, first, lockOf } = createWorld();
    const lock = lockOf(first);
    expect(must(await lock.lastConsolidatedMs())).toBe(null);
    const held = must(await lock.acquire());
    expect([held.previousMs, must(await lock.lastConsolidatedMs())]).toEqual([null, null]);
    clock.jump(hourMs);
    must(await held.complete());
    expect(must(await lock.lastConsolidatedMs())).toBe(startMs + hourMs);
    clock.jump(hourMs);
    const again = must(await lock.acquire());
    expect(again.previousMs).toBe(startMs + hourMs);
    clock.jump(hourMs);
    must(await again.abandon());
    expect(must(await lock.lastConsolidatedMs())).toBe(startMs + hourMs);
    expect(names(disk)).toEqual([".consolidate-lock"]);
  });

  it("says with one look at one file", async () => {
    const { disk, first, lockOf } = createWorld();
    await lockOf(first).lastConsolidatedMs();
    expect(disk.operations.map(({ name, path: at }) => [name, at])).toEqual([["stat", path]]);
  });

  it("shows the holder in its file: process, start, boot, token, and the time before", async () => {
    const { disk, first, lockOf } = createWorld();
    must(await lockOf(first).acquire());
    expect(JSON.parse(Buffer.from(disk.readWhole(path)).toString())).toEqual({
      number: 1,
      holder: { ...first.identity, token: expect.stringMatching(/^dreamer_/), sinceMs: startMs },
      previousMs: 0,
    });
  });

  it("has one holder, and says who it is", async () => {
    const { first, lockOf } = createWorld();
    must(await lockOf(first).acquire());
    expect(await lockOf(first.spawn()).acquire()).toMatchObject({
      ok: false,
      error: {
        code: "held",
        message: "Memory is being put in order by process 1000 on host-1, since 2026-01-05T12:00:00.000Z.",
        fix: "Wait until it has ended, or end it.",
        facts: { state: "alive", holder: first.identity },
      },
    });
    expect(refused(await lockOf(first).acquire())).toBe("held");
    expect(must(await lockOf(first.spawn()).restore())).toBe("held");
  });

  it("ends once: a second end changes nothing", async () => {
    const { clock, first, lockOf } = createWorld();
    const held = must(await lockOf(first).acquire());
    must(await held.complete());
    clock.jump(hourMs);
    must(await held.abandon());
    must(await held.complete());
    expect(must(await lockOf(first).lastConsolidatedMs())).toBe(startMs);
  });

  it.each<[string, (first: VirtualProcesses) => VirtualProcesses]>([
    [
      "gone",
      (first) => {
        const second = first.spawn();
        first.exit();
        return second;
      },
    ],
    [
      "gone and its pid is used again",
      (first) => {
        const second = first.spawn();
        first.exit();
        first.spawn({ pid: first.identity.pid });
        return second;
      },
    ],
    [
      "from before a reboot",
      (first) => {
        first.reboot();
        return first.spawn();
      },
    ],
  ])("is taken at once from a holder that is %s", async (_name, end) => {
    const { clock, first, lockOf } = createWorld();
    must(await must(await lockOf(first).acquire()).complete());
    must(await lockOf(first).acquire());
    clock.jump(1000);
    const next = lockOf(end(first));
    expect(must(await next.acquire()).previousMs).toBe(startMs);
    expect(must(await next.lastConsolidatedMs())).toBe(startMs);
  });

  it("is given back for a dead holder, with the time it had", async () => {
    const { disk, clock, first, lockOf } = createWorld();
    must(await must(await lockOf(first).acquire()).complete());
    clock.jump(hourMs);
    must(await lockOf(first).acquire());
    const next = lockOf(first.spawn());
    first.exit();
    disk.writeWhole(path, disk.readWhole(path));
    expect(must(await next.lastConsolidatedMs())).toBe(startMs + hourMs);
    expect(must(await next.restore())).toBe("restored");
    expect(must(await next.lastConsolidatedMs())).toBe(startMs);
    expect(must(await next.restore())).toBe("free");
  });

  it.each([
    ["another host", { host: "host-2" }],
    ["another pid namespace", { pidNamespace: "namespace-2" }],
  ])("is left for 60 minutes to a holder in %s, and fences it after that", async (_name, elsewhere) => {
    const { clock, first, lockOf } = createWorld();
    const former = must(await lockOf(first).acquire());
    const second = lockOf(first.spawn(elsewhere));
    clock.jump(consolidationPatienceMs);
    expect(refused(await second.acquire())).toBe("held");
    clock.jump(1);
    const held = must(await second.acquire());
    expect(refused(await former.complete())).toBe("fenced");
    expect(must(await second.lastConsolidatedMs())).toBe(null);
    must(await held.complete());
  });

  it("is left to a live holder however long it takes", async () => {
    const { clock, first, lockOf } = createWorld();
    must(await lockOf(first).acquire());
    clock.jump(90 * 24 * hourMs);
    expect(refused(await lockOf(first.spawn()).acquire())).toBe("held");
  });

  it("does not believe a holder from the future whose life cannot be told", async () => {
    const { clock, first, lockOf } = createWorld();
    must(await lockOf(first).acquire());
    clock.jump(-2 * consolidationPatienceMs);
    must(await lockOf(first.spawn({ host: "host-2" })).acquire());
  });

  it.each([
    ["empty", ""],
    ["of another program", "4711\n"],
    ["null", "null"],
    ["without numbers", '{"holder":null}'],
    ["with half a holder", '{"number":1,"previousMs":0,"holder":{"pid":1}}'],
    ["large", "x".repeat(100_000)],
  ])("takes a file that is %s for a free lock of its time", async (_name, text) => {
    const { disk, first, lockOf } = createWorld();
    disk.writeWhole(path, text);
    const before = must(await disk.stat(path)).modifiedMs;
    const held = must(await lockOf(first).acquire());
    expect(held.previousMs).toBe(before);
    must(await held.abandon());
    expect(must(await lockOf(first).lastConsolidatedMs())).toBe(before);
  });

  it("refuses a link in its place", async () => {
    const { disk, first, lockOf } = createWorld();
    disk.writeWhole("/home/elsewhere", "mine");
    disk.writeWhole(`${folder}/a.md`, "a");
    disk.plantLink(path, "/home/elsewhere");
    expect(refused(await lockOf(first).acquire())).toBe("invalid-path");
    expect(Buffer.from(disk.readWhole("/home/elsewhere")).toString()).toBe("mine");
  });
});

interface Scenario {
  readonly name: string;
  /** A consolidation that was done before. */
  readonly before: number | null;
  /** Steps before the work, by processes that are gone afterwards. */
  prepare?(world: World): Promise<void>;
  act(world: World, disk: VirtualDisk, processes: VirtualProcesses): Promise<Result<unknown>>;
  /** The latest time once the work has begun to end it. */
  readonly after?: number;
}

const held = async (result: Promise<Result<Consolidation>>, end: "complete" | "abandon") => {
  const taken = await result;
  return taken.ok ? taken.value[end]() : taken;
};

const doneMs = startMs + 24 * hourMs;

const scenarios: readonly Scenario[] = [
  {
    name: "the first one is acquired and completed",
    before: null,
    after: doneMs,
    act: ({ lockOf }, disk, processes) => held(lockOf(processes, disk).acquire(), "complete"),
  },
  {
    name: "it is acquired and completed",
    before: startMs,
    after: doneMs,
    act: ({ lockOf }, disk, processes) => held(lockOf(processes, disk).acquire(), "complete"),
  },
  {
    name: "it is acquired and given up",
    before: startMs,
    act: ({ lockOf }, disk, processes) => held(lockOf(processes, disk).acquire(), "abandon"),
  },
  {
    name: "it is taken from the dead and completed",
    before: startMs,
    after: doneMs,
    async prepare({ first, lockOf }) {
      const dead = first.spawn();
      must(await lockOf(dead).acquire());
      dead.exit();
    },
    act: ({ lockOf }, disk, processes) => held(lockOf(processes, disk).acquire(), "complete"),
  },
  {
    name: "it is given back for the dead",
    before: startMs,
    async prepare({ first, lockOf }) {
      const dead = first.spawn();
      must(await lockOf(dead).acquire());
      dead.exit();
    },
    act: ({ lockOf }, disk, processes) => lockOf(processes, disk).restore(),
  },
];

describe.each(scenarios)("consolidate lock, when $name", ({ before, after, prepare, act }) => {
  async function prepared() {
    const world = createWorld();
    if (before !== null) must(await must(await world.lockOf(world.first).acquire()).complete());
    await prepare?.(world);
    world.clock.jump(24 * hourMs);
    return world;
  }

  async function run(plan: (disk: VirtualDisk) => void) {
    const world = await prepared();
    const disk = world.disk.attach();
    const processes = world.first.spawn();
    plan(disk);
    const result = await act(world, disk, processes);
    processes.exit();
    return { world, disk, result };
  }

  const operationsOfWork = async () => (await run(() => undefined)).disk.operations;

  /** The time is one of those, and the next process has the lock at once and finds the folder tidy. */
  async function check({ first, lockOf }: World, disk: VirtualDisk, times: readonly (number | null)[]) {
    const lock = lockOf(first.spawn(), disk);
    const last = must(await lock.lastConsolidatedMs());
    expect(times).toContain(last);
    const next = must(await lock.acquire());
    expect(next.previousMs).toBe(last);
    expect(must(await lock.lastConsolidatedMs())).toBe(last);
    expect(names(disk)).toEqual([".consolidate-lock"]);
    must(await next.abandon());
    expect(must(await lock.lastConsolidatedMs())).toBe(last);
  }

  it("has the time before or the time of success, wherever the process or the power goes", async () => {
    const times = after === undefined ? [before] : [before, after];
    for (const { index } of await operationsOfWork()) {
      for (const partial of [0, 7, Number.POSITIVE_INFINITY]) {
        const { world, disk } = await run((own) => own.crashAt(index, { partial }));
        await check(world, disk.afterProcessCrash(), times);
        for (const { disk: next } of enumeratePowerLosses(disk, 4, index)) {
          world.first.reboot();
          await check(world, next, times);
        }
      }
    }
    const done = await run(() => undefined);
    must(done.result);
    for (const { disk } of enumeratePowerLosses(done.disk, 20)) {
      await check(done.world, disk, [after ?? before]);
    }
  });

  it("has one of them when any one operation fails, and the lock is free once the process is gone", async () => {
    for (const { index } of await operationsOfWork()) {
      for (const partial of [0, Number.POSITIVE_INFINITY]) {
        const { world, disk, result } = await run((own) => own.failAt(index, "io", { partial }));
        const times = after === undefined ? [before] : result.ok ? [after] : [before, after];
        await check(world, disk.attach(), times);
      }
    }
  });
});
