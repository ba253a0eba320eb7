import { describe, expect, it } from "vitest";
import { relaxedFlushBytes, relaxedFlushMs } from "../../packages/core/src/log/append-queue.ts";
import { encodeEntry } from "../../packages/core/src/log/codec.ts";
import type { Durability, Entry } from "../../packages/core/src/spec/index.ts";
import { must } from "../../packages/testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { enumeratePowerLosses } from "../../packages/testing/src/virtual-power-losses.ts";
import { createVirtualProcesses } from "../../packages/testing/src/virtual-processes.ts";
import { amount, spread } from "../support/amount.ts";
import { type Acknowledged, expectAcknowledged, survivors, work } from "../support/crash-work.ts";
import { messageDraft, sessionDraft } from "../support/entries.ts";
import { createVirtualStore, logPath } from "../support/virtual-store.ts";

const path = logPath("one");
const partials = [0, 1, 40, Number.POSITIVE_INFINITY];

/** Runs the work once per operation and way to die in it. */
async function eachCrash(
  durability: Durability,
  check: (disk: VirtualDisk, acknowledged: Acknowledged) => Promise<void>,
) {
  const rehearsal = createVirtualDisk();
  await work(rehearsal, durability, { ids: [], created: false });
  for (const index of spread([...rehearsal.operations.keys()], 16)) {
    for (const partial of partials) {
      const disk = createVirtualDisk();
      disk.crashAt(index, { partial });
      const acknowledged: Acknowledged = { ids: [], created: false };
      await work(disk, durability, acknowledged);
      await check(disk, acknowledged);
    }
  }
  return rehearsal.operations.length;
}

describe("a crash at any operation", () => {
  it("of the process loses nothing acknowledged at process and at fsync", async () => {
    for (const durability of ["process", "fsync"] as const) {
      const operations = await eachCrash(durability, async (disk, acknowledged) => {
        expectAcknowledged(await survivors(disk.afterProcessCrash()), acknowledged);
      });
      expect(operations).toBeGreaterThan(30);
    }
  });

  it("of the machine loses nothing acknowledged at fsync, whatever the disk had not yet written", async () => {
    let outcomes = 0;
    await eachCrash("fsync", async (disk, acknowledged) => {
      for (const { disk: next } of enumeratePowerLosses(disk, 16)) {
        outcomes += 1;
        expectAcknowledged(await survivors(next), acknowledged);
      }
    });
    expect(outcomes).toBeGreaterThan(amount({ quick: 300, slow: 1000 }));
  });

  it("of the machine never leaves a log that cannot be opened, at process", async () => {
    await eachCrash("process", async (disk) => {
      for (const { disk: next } of enumeratePowerLosses(disk, 6)) {
        const { logs } = createVirtualStore({
          disk: next,
          processes: createVirtualProcesses({ bootId: "next boot" }),
        });
        const opened = await logs.open("one", () => undefined);
        if (!opened.ok) expect(["not-found", "corrupt"]).toContain(opened.error.code);
      }
    });
  });

  it("while a damaged log is mended loses neither entries nor damaged bytes", async () => {
    const clean = createVirtualDisk();
    await work(clean, "process", { ids: [], created: false });
    const whole = Buffer.from(clean.readWhole(path));
    const torn = Buffer.from('{"v":1,"seq":99,"epoch":1,"torn in ha');
    const damaged = Buffer.concat([whole, Buffer.from("rubbish\n"), torn]);
    const plant = () => {
      const disk = createVirtualDisk();
      disk.writeWhole(path, damaged);
      return disk;
    };
    const rehearsal = plant();
    const mended = must(await createVirtualStore({ disk: rehearsal }).logs.open("one", () => undefined));
    const expected = mended.report.entries;
    for (let index = 0; index < rehearsal.operations.length; index += 1) {
      for (const partial of partials) {
        const disk = plant();
        disk.crashAt(index, { partial });
        await createVirtualStore({ disk }).logs.open("one", () => undefined);
        const nexts = [
          disk.afterProcessCrash(),
          ...[...enumeratePowerLosses(disk, 4)].map((outcome) => outcome.disk),
        ];
        for (const next of nexts) {
          const found = await survivors(next);
          expect(found?.filter(({ seq }) => seq <= expected).length).toBe(expected);
          const kept = next.snapshot().get(`${path}.torn`);
          expect(Buffer.from(kept ?? []).includes(torn)).toBe(true);
        }
      }
    }
  });
});

describe("the window of relaxed", () => {
  it("is at most its milliseconds and its bytes, and it is really that long", async () => {
    let longestMs = 0;
    let mostBytes = 0;
    for (const textBytes of [10, 1000, 30_000]) {
      for (const gapMs of [0, 7, 40]) {
        const clock = createVirtualClock();
        const disk = createVirtualDisk({ clock });
        const writer = must(
          await createVirtualStore({ disk, clock }).logs.create(sessionDraft("one"), {
            durability: "relaxed",
          }),
        );
        const acknowledged: { readonly entry: Entry; readonly atMs: number }[] = [];
        for (let count = 0; count < 60; count += 1) {
          const [added] = must(await writer.append([messageDraft("x".repeat(textBytes))]));
          if (added) acknowledged.push({ entry: added.entry, atMs: clock.monotonic() });
          const kept: string[] = [];
          const after = createVirtualStore({ disk: disk.afterProcessCrash(), clock });
          must(await after.logs.scan("one", (entry) => kept.push(entry.id)));
          const lost = acknowledged.filter(({ entry }) => !kept.includes(entry.id));
          const lostBytes = lost.reduce((sum, { entry }) => sum + encodeEntry(entry).length, 0);
          const ages = lost.map(({ atMs }) => clock.monotonic() - atMs);
          longestMs = Math.max(longestMs, ...ages);
          mostBytes = Math.max(mostBytes, lostBytes);
          expect(lostBytes).toBeLessThan(relaxedFlushBytes);
          expect(Math.max(0, ...ages)).toBeLessThan(relaxedFlushMs);
          await clock.advance(gapMs);
        }
      }
    }
    expect(longestMs).toBeGreaterThan(relaxedFlushMs * 0.7);
    expect(mostBytes).toBeGreaterThan(relaxedFlushBytes * 0.7);
  });
});

/** Appends small entries at `relaxed` while the clock stands still: only the size of the batch writes them. */
async function countLost(times: number) {
  const clock = createVirtualClock();
  const disk = createVirtualDisk({ clock });
  const { logs } = createVirtualStore({ disk, clock });
  const writer = must(await logs.create(sessionDraft("one"), { durability: "relaxed" }));
  const accepted: Entry[] = [];
  const lostAfter: number[] = [];
  const find = async () => {
    const kept: string[] = [];
    const next = createVirtualStore({ disk: disk.afterProcessCrash(), clock });
    must(await next.logs.scan("one", (entry) => entry.kind === "message" && kept.push(entry.id)));
    expect(kept).toEqual(accepted.slice(0, kept.length).map(({ id }) => id));
    return accepted.length - kept.length;
  };
  for (let count = 1; count <= times; count += 1) {
    accepted.push(...must(await writer.append([messageDraft("x")])).map(({ entry }) => entry));
    if (count % 25 === 0) lostAfter.push(await find());
  }
  must(await writer.flush());
  return { lostAfter, lostAfterFlush: await find(), lineBytes: encodeEntry(accepted[0] as Entry).length };
}

describe("the window of relaxed, counted in entries", () => {
  it("is the batch that was not yet written: the newest entries, fewer than fill it, and none after a flush", async () => {
    const { lostAfter, lostAfterFlush, lineBytes } = await countLost(1_000);
    const batch = Math.ceil(relaxedFlushBytes / lineBytes);
    expect(Math.max(...lostAfter)).toBeLessThan(batch);
    expect(Math.max(...lostAfter)).toBeGreaterThan(batch * 0.9);
    expect(Math.min(...lostAfter)).toBeLessThan(batch * 0.1);
    expect(lostAfterFlush).toBe(0);
  });
});

describe("a failing operation", () => {
  it("gives a typed error wherever it happens, and the log goes on or opens again with all that was acknowledged", async () => {
    const rehearsal = createVirtualDisk();
    await work(rehearsal, "fsync", { ids: [], created: false });
    for (const code of ["io", "disk-full", "permission"] as const) {
      for (let index = 0; index < rehearsal.operations.length; index += 1) {
        for (const partial of partials) {
          const disk = createVirtualDisk();
          disk.failAt(index, code, { partial });
          const acknowledged: Acknowledged = { ids: [], created: false };
          await work(disk, "fsync", acknowledged);
          expectAcknowledged(await survivors(disk.afterProcessCrash()), acknowledged);
        }
      }
    }
  });
});
