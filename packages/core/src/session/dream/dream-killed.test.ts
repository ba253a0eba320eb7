import { describe, expect, it } from "vitest";
import { spread } from "../../../../../test/support/amount.ts";
import {
  type DreamProcess,
  dreamDisk,
  openDreamProcess,
  textsOf,
  topic,
} from "../../../../../test/support/dream-world.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import type { VirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import type { DiskOperation } from "../../../../testing/src/virtual-operations.ts";
import type { DreamMode } from "./dream-once.ts";
import { createScribeDreamer } from "./dreamer.ts";

/** Two changes, so that half of them could be seen: one file is removed, one rewritten. */
const files = {
  "a.md": topic("The server listens on port 8123."),
  "b.md": topic("The server listens on port 8123."),
  "c.md": topic("We leave tomorrow."),
};
const numbers = { maxRemovedPercent: 100, nearPercent: 80 };
const scribe = createScribeDreamer({ numbers });
const open = (disk: VirtualDisk) => openDreamProcess(disk, { settings: { dream: numbers } });
const dream = (process: DreamProcess, how: DreamMode = {}) =>
  process.dreams.once(scribe, { isByHand: true, ...how });
const timeOf = async ({ lock }: DreamProcess) => must(await lock.lastConsolidatedMs());

/** The files without the index, which is made from them. */
async function memoriesOf({ memory }: DreamProcess) {
  const { "MEMORY.md": _index, ...rest } = await textsOf(memory);
  return rest;
}

/** Called before each operation of this process on the disk, those on open files among them. */
function beforeEach(disk: VirtualDisk, see: (index: number) => void): void {
  disk.failWhen(({ index }) => {
    see(index);
    return false;
  }, "io");
}

const changing = new Set(["append", "link", "rename", "remove", "makeDirectory", "setModified"]);
const reading = ["close", "file-stat", "list", "open", "read", "realPath", "stat", "sync", "syncDirectory"];
const isChanging = ({ name, how }: DiskOperation) => changing.has(name) || how === "create";

/** The disk before and after a dream, and what the dream does to it. */
async function createScene() {
  const start = await dreamDisk(files);
  const disk = start.afterProcessCrash();
  const process = open(disk);
  const [timeBefore, before] = [await timeOf(process), await memoriesOf(process)];
  const dreaming = disk.attach();
  /** The disk as the next process finds it when this one dies between two operations, wherever it differs. */
  const deaths: { readonly at: number; readonly disk: VirtualDisk }[] = [];
  beforeEach(dreaming, (at) => {
    const last = dreaming.operations.at(-1);
    if (!last || isChanging(last)) deaths.push({ at, disk: disk.afterProcessCrash() });
  });
  /** Before which operations the signal is looked at: nowhere else has it an effect. */
  const looks: number[] = [];
  const signal = lookedAt(() => void looks.push(dreaming.operations.length));
  const one = open(dreaming);
  expect(must(await dream(one, { signal }))).toMatchObject({
    outcome: "completed",
    record: { state: "applied" },
  });
  one.exit();
  const after = await memoriesOf(process);
  expect(Object.keys(after)).toEqual(["a.md", "c.md"]);
  expect(after["c.md"]).not.toBe(before["c.md"]);
  return { start, timeBefore, before, after, deaths, looks, operations: [...dreaming.operations] };
}

function lookedAt(look: () => void): AbortSignal {
  return new Proxy(new AbortController().signal, {
    get(signal, name) {
      if (name === "aborted") look();
      const value = Reflect.get(signal, name, signal);
      return typeof value === "function" ? value.bind(signal) : value;
    },
  });
}

describe("a dream that is killed", () => {
  it("with its process before any operation of the disk leaves the time as before, memory as before or as after", async () => {
    const { timeBefore, before, after, deaths, operations } = await createScene();
    const others = operations.filter((operation) => !isChanging(operation)).map(({ name }) => name);
    expect([...new Set(others)].sort()).toEqual(reading);
    const seen = new Set<string>();
    for (const { at, disk } of spread(deaths, 40)) {
      const next = open(disk);
      const time = await timeOf(next);
      must(await next.dreams.changes.recover());
      const found = await memoriesOf(next);
      const isAfter = Object.keys(found).length === Object.keys(after).length;
      expect(found, `operation ${at}`).toEqual(isAfter ? after : before);
      if (time !== timeBefore) expect([at, isAfter]).toEqual([at, true]);
      else expect(await timeOf(next)).toBe(timeBefore);
      seen.add(`${isAfter} ${time === timeBefore}`);
      expect(must(await dream(next))).toMatchObject({ outcome: "completed" });
      expect(await memoriesOf(next)).toEqual(after);
      expect(await timeOf(next)).toBeGreaterThan(timeBefore ?? 0);
    }
    expect([...seen]).toEqual(["false true", "true true", "true false"]);
  });

  it("with its process in the middle of a write leaves them so too", async () => {
    const { start, timeBefore, before, after, operations } = await createScene();
    for (const { index } of operations.filter(({ name }) => name === "append" || name === "makeDirectory")) {
      const disk = start.afterProcessCrash();
      const process = open(disk);
      disk.crashAt(index, { partial: 1 });
      await dream(process);
      process.exit();
      const next = open(disk.afterProcessCrash());
      expect(await timeOf(next)).toBe(timeBefore);
      must(await next.dreams.changes.recover());
      expect([before, after]).toContainEqual(await memoriesOf(next));
      expect(must(await dream(next))).toMatchObject({ outcome: "completed" });
      expect(await memoriesOf(next)).toEqual(after);
    }
  });

  it("by its signal at any operation of the disk leaves time and memory as before, or says that all was done", async () => {
    const { start, timeBefore, before, after, looks, operations } = await createScene();
    const outcomes = new Set<string>();
    // Operations between two looks at the signal are one case: the first and the last of each.
    const cases = [0, ...looks.flatMap((look) => [look - 1, look]), operations.length - 1];
    for (const index of new Set(cases.filter((at) => at >= 0 && at < operations.length))) {
      const disk = start.afterProcessCrash();
      const killing = new AbortController();
      beforeEach(disk, (now) => {
        if (now === index) killing.abort();
      });
      const process = open(disk);
      const report = must(await dream(process, { signal: killing.signal }));
      const [time, found] = [await timeOf(process), await memoriesOf(process)];
      if (report.outcome === "killed") {
        const isDone = report.error.message.includes("after its changes were made");
        outcomes.add(isDone ? "killed, all done" : "killed");
        expect([time, found], `operation ${index}`).toEqual([timeBefore, isDone ? after : before]);
      } else {
        outcomes.add(report.outcome);
        expect([time !== timeBefore, found], `operation ${index}`).toEqual([true, after]);
      }
      expect(must(await process.lock.restore())).toBe("free");
      process.exit();
    }
    expect([...outcomes]).toEqual(["killed", "killed, all done", "completed"]);
  });

  it("by a failure of any operation of the disk leaves time and memory as before or as after, once the next one looks", async () => {
    const { start, timeBefore, before, after, operations } = await createScene();
    const outcomes = new Set<string>();
    for (const { index } of spread(operations, 60)) {
      const disk = start.afterProcessCrash();
      const process = open(disk);
      disk.failAt(index, "io");
      const report = await dream(process);
      const outcome = report.ok ? report.value.outcome : "refused";
      outcomes.add(outcome);
      process.exit();
      const next = open(disk.attach());
      must(await next.dreams.changes.recover());
      const [time, found] = [await timeOf(next), await memoriesOf(next)];
      const isAfter = Object.keys(found).length === Object.keys(after).length;
      expect(found, `operation ${index}`).toEqual(isAfter ? after : before);
      if (outcome === "completed") expect([time !== timeBefore, isAfter]).toEqual([true, true]);
      if (time !== timeBefore) expect([index, isAfter]).toEqual([index, true]);
      expect(["free", "restored"]).toContain(must(await next.lock.restore()));
      expect(await timeOf(next)).toBe(time);
      next.exit();
    }
    expect([...outcomes].sort()).toEqual(["completed", "failed", "refused"]);
  });
});
