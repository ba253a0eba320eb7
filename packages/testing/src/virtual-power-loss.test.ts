import { describe, expect, test } from "vitest";
import type { DiskFile } from "../../core/src/spec/index.ts";
import { createVirtualDisk, type VirtualDisk } from "./virtual-disk.ts";
import { keepUnsynced, loseUnsynced, type PowerLossInput, seededChoices } from "./virtual-power-loss.ts";
import { enumeratePowerLosses } from "./virtual-power-losses.ts";

const bytes = (text: string) => new TextEncoder().encode(text);

async function open(disk: VirtualDisk, path: string, how: "append" | "create"): Promise<DiskFile> {
  const opened = await disk.open(path, how);
  if (!opened.ok) throw opened.error;
  return opened.value;
}

/** `/log=ab` and so on, with a dot for NUL. */
function describeFiles(disk: VirtualDisk): string {
  const files = [...disk.snapshot()].map(([path, content]) => `${path}=${new TextDecoder().decode(content)}`);
  return files.join(" ").replaceAll("\0", ".");
}

/** Every state that power loss may leave, sorted. */
function outcomes(disk: VirtualDisk): string[] {
  const losses = enumeratePowerLosses(disk, 1_000);
  expect(losses.exhaustive).toBe(true);
  return [...new Set([...losses].map((outcome) => describeFiles(outcome.disk)))].sort();
}

describe("data", () => {
  test("of two unsynced appends each is lost, unwritten, cut or kept, in any order", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/log", "");
    const file = await open(disk, "/log", "append");
    await file.append(bytes("ab"));
    await file.append(bytes("c"));
    expect(outcomes(disk)).toEqual(
      ["", "..", "...", "..c", "a", "a..", "a.c", "ab", "ab.", "abc"].map((content) => `/log=${content}`),
    );
  });

  test("what a sync covered is certain, what came after it is not", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/log", "");
    const file = await open(disk, "/log", "append");
    await file.append(bytes("ab"));
    await file.sync();
    await file.append(bytes("c"));
    expect(outcomes(disk)).toEqual(["/log=ab", "/log=ab.", "/log=abc"]);
  });

  test("a truncate may be lost under what was appended after it", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/log", "hello");
    const file = await open(disk, "/log", "append");
    await file.truncate(2);
    await file.append(bytes("X"));
    expect(outcomes(disk)).toEqual(
      ["he", "he.", "he.lo", "heX", "heXlo", "hello"].map((content) => `/log=${content}`),
    );
    await file.sync();
    expect(outcomes(disk)).toEqual(["/log=heX"]);
  });

  test("appends behind a truncate that survives are not asked about", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/log", "");
    const file = await open(disk, "/log", "append");
    await file.append(bytes("abcdef"));
    await file.truncate(1);
    const asked: PowerLossInput[] = [];
    disk.afterPowerLoss((input) => asked.push(input) && keepUnsynced(input));
    expect(asked).toEqual([
      { about: "truncate", path: "/log", options: 2 },
      { about: "append", path: "/log", options: 3 },
    ]);
  });

  test("a failed sync leaves its data in doubt even when the next one succeeds", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/log", "");
    const file = await open(disk, "/log", "append");
    await file.append(bytes("a"));
    disk.failAt(disk.operations.length, "io");
    await file.sync();
    await file.append(bytes("b"));
    await file.sync();
    expect(outcomes(disk)).toEqual(["/log=.b", "/log=ab"]);
    await file.truncate(0);
    await file.append(bytes("ab"));
    await file.sync();
    expect(outcomes(disk)).toEqual(["/log=ab"]);
  });
});

test("a sync that the process did not live to see done may be done by the next one", async () => {
  const disk = createVirtualDisk();
  disk.writeWhole("/log", "");
  const file = await open(disk, "/log", "append");
  await file.append(bytes("a"));
  disk.crashAt(disk.operations.length);
  await file.sync();
  const next = disk.afterProcessCrash();
  expect(outcomes(next)).toEqual(["/log=", "/log=.", "/log=a"]);
  await (await open(next, "/log", "append")).sync();
  expect(outcomes(next)).toEqual(["/log=a"]);
});

describe("names", () => {
  test("a new file may be missing, empty or cut until both it and its directory are synced", async () => {
    const disk = createVirtualDisk();
    const file = await open(disk, "/log", "create");
    await file.append(bytes("ab"));
    expect(outcomes(disk)).toEqual(["", "/log=", "/log=..", "/log=a", "/log=ab"]);
    await file.sync();
    expect(outcomes(disk)).toEqual(["", "/log=ab"]);
    await disk.syncDirectory("/");
    expect(outcomes(disk)).toEqual(["/log=ab"]);
  });

  test("a directory without a synced name takes its synced content with it", async () => {
    const disk = createVirtualDisk();
    await disk.makeDirectory("/a/b");
    const file = await open(disk, "/a/b/log", "create");
    await file.append(bytes("x"));
    await file.sync();
    await disk.syncDirectory("/a/b");
    await disk.syncDirectory("/a");
    expect(outcomes(disk)).toEqual(["", "/a/b/log=x"]);
    await disk.syncDirectory("/");
    expect(outcomes(disk)).toEqual(["/a/b/log=x"]);
  });

  test("a rename over a file leaves the old one or the new one", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/file", "old");
    const file = await open(disk, "/temporary", "create");
    await file.append(bytes("n"));
    await file.sync();
    await disk.rename("/temporary", "/file");
    expect(outcomes(disk)).toEqual(["/file=n", "/file=old", "/file=old /temporary=n"]);
    await disk.syncDirectory("/");
    expect(outcomes(disk)).toEqual(["/file=n"]);
  });

  test("a rename may arrive before the data of what was renamed", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/file", "old");
    const file = await open(disk, "/temporary", "create");
    await file.append(bytes("n"));
    await disk.rename("/temporary", "/file");
    await disk.syncDirectory("/");
    expect(outcomes(disk)).toEqual(["/file=", "/file=.", "/file=n"]);
  });

  test("a file moved between directories may have both names and never none", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/x/file", "1");
    disk.writeWhole("/y/other", "2");
    await disk.rename("/x/file", "/y/file");
    const moved = "/y/file=1 /y/other=2";
    expect(outcomes(disk)).toEqual(["/x/file=1 /y/file=1 /y/other=2", "/x/file=1 /y/other=2", moved]);
    const [target, source] = [disk.afterProcessCrash(), disk.afterProcessCrash()];
    await target.syncDirectory("/y");
    expect(outcomes(target)).toEqual(["/x/file=1 /y/file=1 /y/other=2", moved]);
    await source.syncDirectory("/x");
    expect(outcomes(source)).toEqual([moved]);
  });

  test("a directory moved twice is in one place", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/x/folder/file", "1");
    disk.writeWhole("/y/other", "2");
    await disk.rename("/x/folder", "/y/folder");
    await disk.rename("/y/folder", "/y/again");
    expect(outcomes(disk)).toEqual([
      "/x/folder/file=1 /y/other=2",
      "/y/again/file=1 /y/other=2",
      "/y/folder/file=1 /y/other=2",
    ]);
  });

  test("links and removals are kept or lost one by one", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/a", "1");
    await disk.link("/a", "/b");
    await disk.remove("/a");
    expect(outcomes(disk)).toEqual(["", "/a=1", "/a=1 /b=1", "/b=1"]);
    const counts = [0, 1].map(async (answer) =>
      disk.afterPowerLoss(() => answer).stat(answer === 0 ? "/a" : "/b"),
    );
    expect((await Promise.all(counts)).map((stat) => stat.ok && stat.value.links)).toEqual([1, 1]);
    await disk.syncDirectory("/");
    expect(outcomes(disk)).toEqual(["/b=1"]);
  });

  test("a removed tree may come back in part", async () => {
    const disk = createVirtualDisk();
    disk.writeWhole("/a/one", "1");
    disk.writeWhole("/a/two", "2");
    await disk.removeTree("/a");
    expect(outcomes(disk)).toEqual(["", "/a/one=1", "/a/one=1 /a/two=2", "/a/two=2"]);
  });

  test("a failed directory sync leaves its names in doubt", async () => {
    const disk = createVirtualDisk();
    await open(disk, "/a", "create");
    disk.failAt(1, "io");
    await disk.syncDirectory("/");
    await open(disk, "/b", "create");
    await disk.syncDirectory("/");
    expect(outcomes(disk)).toEqual(["/a= /b=", "/b="]);
  });
});

describe("choices", () => {
  async function createUnsynced(): Promise<VirtualDisk> {
    const disk = createVirtualDisk();
    disk.writeWhole("/old", "old");
    const file = await open(disk, "/new", "create");
    await file.append(bytes("abcdefgh"));
    await disk.rename("/old", "/older");
    return disk;
  }

  test("everything unsynced can be lost, or kept", async () => {
    const disk = await createUnsynced();
    expect([loseUnsynced, keepUnsynced].map((choose) => describeFiles(disk.afterPowerLoss(choose)))).toEqual([
      "/old=old",
      "/new=abcdefgh /older=old",
    ]);
  });

  test("a seed always leaves the same, and seeds differ", async () => {
    const disk = await createUnsynced();
    const leave = (seed: number) => describeFiles(disk.afterPowerLoss(seededChoices(seed)));
    const seeds = Array.from({ length: 50 }, (_, seed) => seed);
    expect(seeds.map(leave)).toEqual(seeds.map(leave));
    expect(new Set(seeds.map(leave)).size).toBeGreaterThan(5);
  });
});
