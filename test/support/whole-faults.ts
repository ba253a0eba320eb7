import { expect } from "vitest";
import { createVirtualClock } from "../../packages/testing/src/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import { doWholeWork, expectTold } from "./whole-work.ts";

const codes = ["io", "disk-full", "permission"] as const;
const partials = [0, 1, 40, Number.POSITIVE_INFINITY];
const hourMs = 3_600_000;
const jumps = [-10 * 365 * 24 * hourMs, -hourMs, 25 * hourMs];

/** What a fault of one operation may be answered with, besides its own code. */
const alsoRefused = new Set(["conflict", "not-found", "closed"]);

/** Which operations: every `step`th, from `first` on. */
export interface Chosen {
  readonly step: number;
  readonly first: number;
}

const isChosen = ({ step, first }: Chosen, index: number) => index % step === first % step;

async function rehearse() {
  const disk = createVirtualDisk();
  const told = await doWholeWork(disk);
  expect(told).toMatchObject({ sent: ["m1", "m2"], settled: ["m1", "m2"], completed: 1, refusals: [] });
  expect([told.entries.length, told.versions.length]).toEqual([5, 3]);
  await expectTold(disk.afterProcessCrash(), told);
  return disk.operations;
}

/** Does the work once for each chosen operation, with a fault planted there; gives how often. */
async function each(
  chosen: Chosen,
  plant: (disk: VirtualDisk, index: number) => readonly string[],
): Promise<number> {
  const indexes = (await rehearse()).map(({ index }) => index).filter((index) => isChosen(chosen, index));
  for (const index of indexes) {
    const disk = createVirtualDisk();
    const allowed = new Set([...alsoRefused, ...plant(disk, index)]);
    const told = await doWholeWork(disk);
    expect([index, told.refusals.filter((code) => !allowed.has(code))]).toEqual([index, []]);
    await expectTold(disk.afterProcessCrash(), told).catch((cause: unknown) => {
      throw new Error(`operation ${index}`, { cause });
    });
  }
  return indexes.length;
}

export const failEach = (chosen: Chosen) =>
  each(chosen, (disk, index) => {
    const code = codes[index % codes.length] ?? "io";
    disk.failAt(index, code, { partial: partials[index % partials.length] });
    return [code];
  });

export const crashEach = (chosen: Chosen) =>
  each(chosen, (disk, index) => {
    disk.crashAt(index, { partial: partials[index % partials.length] });
    return ["crashed"];
  });

/** The disk is full at a write, before it or in the middle of it; then there is room again. */
export async function fillEach(chosen: Chosen): Promise<{ readonly full: number; readonly refused: number }> {
  const sizes = (await rehearse()).flatMap(({ name, bytes }) => (name === "append" ? [bytes ?? 0] : []));
  let used = 0;
  let full = 0;
  let refused = 0;
  for (const [index, size] of sizes.entries()) {
    for (const capacityBytes of isChosen(chosen, index) ? [used, used + size - 1] : []) {
      const disk = createVirtualDisk({ capacityBytes });
      const told = await doWholeWork(disk);
      full += 1;
      if (told.refusals.includes("disk-full")) refused += 1;
      disk.setCapacity(Number.POSITIVE_INFINITY);
      await expectTold(disk.attach(), told);
    }
    used += size;
  }
  return { full, refused };
}

/** The wall clock is set, forwards or backwards, right before an operation: all work is done all the same. */
export async function jumpEach(chosen: Chosen): Promise<number> {
  const indexes = (await rehearse()).map(({ index }) => index).filter((index) => isChosen(chosen, index));
  for (const index of indexes) {
    const jumpMs = jumps[index % jumps.length] ?? 0;
    const clock = createVirtualClock();
    const disk = createVirtualDisk({ clock });
    disk.failWhen((operation) => {
      if (operation.index === index) clock.jump(jumpMs);
      return false;
    }, "io");
    const told = await doWholeWork(disk, clock);
    expect([index, jumpMs, told.refusals]).toEqual([index, jumpMs, []]);
    expect(told).toMatchObject({ sent: ["m1", "m2"], settled: ["m1", "m2"], completed: 1 });
    await expectTold(disk.afterProcessCrash(), told);
  }
  return indexes.length;
}
