import { describe, expect, it } from "vitest";
import {
  createVirtualStore,
  logPath,
  virtualHome,
  virtualProject,
} from "../../../../../test/support/virtual-store.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../../../testing/src/virtual-processes.ts";
import { dreamNumbers } from "../../layers/6-dream/settings.ts";
import type { ConsolidateLock } from "../../spec/index.ts";
import { createDreamGates, type DreamGatesOptions } from "./dream-gates.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** A project that was put in order when the clock began, with a disk that counts. */
async function createWorld(options: Partial<DreamGatesOptions> = {}) {
  const clock = createVirtualClock();
  const disk = createVirtualDisk({ clock });
  const processes = createVirtualProcesses();
  const before = createVirtualStore({ disk, clock, processes }).consolidateLock as ConsolidateLock;
  must(await must(await before.acquire()).complete());
  const counted = disk.attach();
  const { logs, consolidateLock } = createVirtualStore({
    disk: counted,
    clock,
    processes: processes.spawn(),
  });
  const gates = createDreamGates({
    clock,
    logs,
    lock: consolidateLock as ConsolidateLock,
    numbers: dreamNumbers,
    isEnabled: true,
    isFork: false,
    hasMemory: true,
    session: "current",
    ...options,
  });
  const touch = (...sessions: readonly string[]) => {
    for (const session of sessions) disk.writeWhole(logPath(session), "{}\n");
  };
  const pass = async (how?: { readonly isByHand: boolean }) => {
    const passed = must(await gates.pass(how));
    return passed.isOpen ? "open" : passed.reason;
  };
  return { clock, disk, counted, before, touch, pass };
}

const lockPath = `${virtualHome}/projects/${virtualProject}/memory/.consolidate-lock`;
const five = ["a", "b", "c", "d", "e"];
const scans = (counted: { readonly operations: readonly { readonly name: string }[] }) =>
  counted.operations.filter(({ name }) => name === "list").length;

describe("dream gates", () => {
  it("costs one stat of the lock in the usual case", async () => {
    const { clock, counted, touch, pass } = await createWorld();
    clock.jump(23 * hourMs + 59 * minuteMs);
    touch(...five);
    expect(await pass()).toBe("too-soon");
    expect(counted.operations.map(({ name, path }) => ({ name, path }))).toEqual([
      { name: "stat", path: lockPath },
    ]);
  });

  it("costs that one stat too where it has looked through the sessions lately", async () => {
    const { clock, counted, touch, pass } = await createWorld();
    clock.jump(24 * hourMs);
    touch("a");
    expect(await pass()).toBe("too-few-sessions");
    const before = counted.operations.length;
    touch(...five);
    await clock.advance(9 * minuteMs + 59_000);
    expect(await pass()).toBe("scanned-lately");
    expect(counted.operations.slice(before).map(({ name, path }) => ({ name, path }))).toEqual([
      { name: "stat", path: lockPath },
    ]);
  });

  it.each([
    ["switched-off", { isEnabled: false }],
    ["in-a-fork", { isFork: true }],
    ["no-memory", { hasMemory: false }],
  ] as const)("costs nothing when it is %s, by hand too", async (reason, options) => {
    const { clock, counted, touch, pass } = await createWorld(options);
    clock.jump(48 * hourMs);
    touch(...five);
    expect([await pass(), await pass({ isByHand: true })]).toEqual([reason, reason]);
    expect(counted.operations).toEqual([]);
  });

  it("opens 24 hours after the last consolidation, and neither at 23:59 nor a millisecond before", async () => {
    const { clock, touch, pass } = await createWorld();
    clock.jump(23 * hourMs + 59 * minuteMs);
    touch(...five);
    expect(await pass()).toBe("too-soon");
    clock.jump(minuteMs - 1);
    expect(await pass()).toBe("too-soon");
    clock.jump(1);
    expect(await pass()).toBe("open");
  });

  it("opens with 5 sessions touched since, not with 4: the current one, forks and dreams are not counted", async () => {
    const { clock, touch, pass } = await createWorld();
    touch("old");
    clock.jump(24 * hourMs);
    touch("a", "b", "c", "d", "current", "a.agents/fork", "dream_1", "dream_2");
    expect(await pass()).toBe("too-few-sessions");
    touch("e");
    await clock.advance(10 * minuteMs);
    expect(await pass()).toBe("open");
  });

  it("looks through the sessions once in 10 minutes", async () => {
    const { clock, counted, touch, pass } = await createWorld();
    clock.jump(24 * hourMs);
    touch("a");
    expect([await pass(), scans(counted)]).toEqual(["too-few-sessions", 1]);
    await clock.advance(10 * minuteMs - 1);
    expect([await pass(), scans(counted)]).toEqual(["scanned-lately", 1]);
    await clock.advance(1);
    expect([await pass(), scans(counted)]).toEqual(["too-few-sessions", 2]);
  });

  it("opens for one at a time", async () => {
    const { clock, before, touch, pass } = await createWorld();
    clock.jump(24 * hourMs);
    touch(...five);
    const held = must(await before.acquire());
    expect(await pass()).toBe("held");
    must(await held.abandon());
    expect(await pass({ isByHand: true })).toBe("open");
  });

  it("opens by hand whatever the time and the sessions", async () => {
    const { pass } = await createWorld();
    expect(await pass({ isByHand: true })).toBe("open");
  });

  it("opens where memory was never put in order, and where that is said to be in the far future", async () => {
    const never = await createWorld();
    must(await never.disk.remove(lockPath));
    const future = await createWorld();
    future.clock.jump(-24 * hourMs);
    for (const { touch, pass } of [never, future]) {
      touch(...five);
      expect(await pass()).toBe("open");
    }
  });

  it("gives a failure of the disk to the caller", async () => {
    const { counted, pass } = await createWorld();
    counted.failAt(0, "io");
    await expect(pass()).rejects.toThrow("io");
  });
});
