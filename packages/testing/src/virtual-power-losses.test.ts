import { expect, test } from "vitest";
import { createVirtualDisk, type VirtualDisk } from "./virtual-disk.ts";
import { keepUnsynced, loseUnsynced } from "./virtual-power-loss.ts";
import { enumeratePowerLosses } from "./virtual-power-losses.ts";

async function createAppended(text: string): Promise<VirtualDisk> {
  const disk = createVirtualDisk();
  const opened = await disk.open("/log", "create");
  if (opened.ok) await opened.value.append(new TextEncoder().encode(text));
  return disk;
}

test("where nothing is unsynced there is one outcome", () => {
  const disk = createVirtualDisk();
  disk.writeWhole("/log", "x");
  const losses = enumeratePowerLosses(disk, 10);
  expect([losses.exhaustive, [...losses].map(({ answers }) => answers)]).toEqual([true, [[]]]);
});

test("each outcome says how it came about", async () => {
  const losses = enumeratePowerLosses(await createAppended("a"), 10);
  const create = { about: "create", path: "/log", options: 2 };
  const append = { about: "append", path: "/log", options: 3 };
  expect([...losses].map(({ answers }) => answers)).toEqual([
    [{ ...create, answer: 0 }],
    [
      { ...create, answer: 1 },
      { ...append, answer: 0 },
    ],
    [
      { ...create, answer: 1 },
      { ...append, answer: 1 },
    ],
    [
      { ...create, answer: 1 },
      { ...append, answer: 2 },
    ],
  ]);
});

test("at the limit it is exhaustive, over it a sample of that size", async () => {
  const disk = await createAppended("ab");
  const counts = [5, 4].map((limit) => {
    const losses = enumeratePowerLosses(disk, limit);
    return [losses.exhaustive, [...losses].length];
  });
  expect(counts).toEqual([
    [true, 5],
    [false, 4],
  ]);
});

test("a sample is distinct, can be repeated, and has the two extremes", async () => {
  const disk = await createAppended("a".repeat(5_000));
  const sample = () => [...enumeratePowerLosses(disk, 20, 3)].map((outcome) => outcome.disk.fingerprint());
  const prints = sample();
  expect([prints.length, new Set(prints).size, sample()]).toEqual([20, 20, prints]);
  for (const choose of [loseUnsynced, keepUnsynced]) {
    expect(prints).toContain(disk.afterPowerLoss(choose).fingerprint());
  }
});

test("outcomes can be walked again, each with a disk of its own", async () => {
  const losses = enumeratePowerLosses(await createAppended("a"), 10);
  for (const { disk } of losses) await disk.removeTree("/log");
  expect([...losses].map(({ disk }) => disk.snapshot().size)).toEqual([0, 1, 1, 1]);
});
