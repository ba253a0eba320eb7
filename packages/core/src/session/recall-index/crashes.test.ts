import { describe, expect, it } from "vitest";
import {
  append,
  find,
  notesOf,
  openVirtualRecall,
  recallFolder,
  said,
  writeMemory,
} from "../../../../../test/support/recall-store.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import { createVirtualDisk, type VirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { enumeratePowerLosses } from "../../../../testing/src/virtual-power-losses.ts";

const changing = new Set(["append", "link", "makeDirectory", "remove", "rename"]);

/** A project whose memory is durable and whose index stands one update back. */
async function prepared(): Promise<VirtualDisk> {
  const disk = createVirtualDisk();
  const { store, recall } = openVirtualRecall(disk);
  await writeMemory(store, "a.md", "cache memory");
  for (let turn = 0; turn < 7; turn += 1) {
    await append(store, "s", [said("user", `cache ${turn}`)]);
    must(await recall.update());
  }
  await writeMemory(store, "a.md", "cache memory, changed");
  await append(store, "s", [said("user", "cache at last"), notesOf("cache notes")]);
  return disk.afterPowerLoss(({ options }) => options - 1);
}

const all = async (disk: VirtualDisk) => {
  const { recall } = openVirtualRecall(disk);
  must(await recall.update());
  return (await find(recall, "cache")).toSorted();
};

/** Before any update a search answers with what is there; after one, with everything. */
async function checkAfter(disk: VirtualDisk, expected: readonly string[]): Promise<void> {
  const { recall } = openVirtualRecall(disk);
  for (const hit of await find(recall, "cache")) expect(expected).toContain(hit);
  expect(await all(disk)).toEqual(expected);
  expect(must(await recall.update()).added).toBe(0);
}

describe("an update that is interrupted", () => {
  it("is made good by the next one, when the process or the power goes at any operation", async () => {
    const expected = await all(await prepared());
    expect(expected).toHaveLength(10);
    const rehearsal = await prepared();
    must(await openVirtualRecall(rehearsal).recall.update());
    const operations = rehearsal.operations.filter(
      ({ name, how, path }) => path.startsWith(recallFolder) && (changing.has(name) || how === "create"),
    );
    expect(operations.length).toBeGreaterThan(8);
    for (const { index } of operations) {
      const disk = await prepared();
      disk.crashAt(index, { partial: Number.POSITIVE_INFINITY });
      await openVirtualRecall(disk).recall.update();
      expect(disk.crashed).toBe(true);
      await checkAfter(disk.afterProcessCrash(), expected);
      for (const { disk: next } of enumeratePowerLosses(disk, 6, index)) await checkAfter(next, expected);
    }
    for (const { disk: next } of enumeratePowerLosses(rehearsal, 30)) await checkAfter(next, expected);
  });

  it("answers with a typed error when any one operation fails, and the next update makes it good", async () => {
    const expected = await all(await prepared());
    const rehearsal = await prepared();
    must(await openVirtualRecall(rehearsal).recall.update());
    for (const { index } of rehearsal.operations.filter(({ path }) => path.startsWith(recallFolder))) {
      const disk = await prepared();
      disk.failAt(index, "io");
      const result = await openVirtualRecall(disk).recall.update();
      if (!result.ok) expect(result.error.code).toBe("io");
      await checkAfter(disk.attach(), expected);
    }
  });
});

describe("a damaged index", () => {
  it("is made anew, whatever byte of whatever file is wrong, and is no error to who asks", async () => {
    const disk = await prepared();
    const expected = await all(disk);
    for (const name of must(await disk.list(recallFolder))) {
      const path = `${recallFolder}/${name}`;
      const bytes = disk.readWhole(path);
      for (let at = 0; at < bytes.length; at += Math.max(1, Math.floor(bytes.length / 12))) {
        const copy = disk.afterProcessCrash();
        copy.writeWhole(
          path,
          bytes.map((byte, index) => (index === at ? byte ^ 0x40 : byte)),
        );
        await checkAfter(copy, expected);
      }
      for (const damaged of [new Uint8Array(), new Uint8Array(bytes.length), bytes.subarray(0, 50)]) {
        const copy = disk.afterProcessCrash();
        copy.writeWhole(path, damaged);
        await checkAfter(copy, expected);
      }
      const without = disk.afterProcessCrash();
      must(await without.remove(path));
      await checkAfter(without, expected);
    }
  });

  it("says what was damaged, to who asks and in the update that mends it", async () => {
    const disk = await prepared();
    await all(disk);
    const [name] = must(await disk.list(recallFolder)).filter((one) => one.startsWith("segment"));
    for (const one of must(await disk.list(recallFolder)))
      if (one.startsWith("segment")) disk.writeWhole(`${recallFolder}/${one}`, "not a segment");
    const { recall } = openVirtualRecall(disk);
    expect(name).toBeDefined();
    const asked = must(await recall.search("cache"));
    expect([asked.hits, [...new Set(asked.problems.map(({ code }) => code))]]).toEqual([[], ["corrupt"]]);
    expect(must(await recall.update()).problems.length).toBeGreaterThan(0);
    expect(must(await recall.search("cache"))).toMatchObject({ problems: [] });
  });

  it("leaves files alone that are not its own", async () => {
    const disk = await prepared();
    disk.writeWhole(`${recallFolder}/README`, "mine");
    await all(disk);
    expect(must(await disk.list(recallFolder))).toContain("README");
  });
});

describe("two processes on one index", () => {
  it("both end with everything, whoever is first at any moment", async () => {
    const expected = await all(await prepared());
    for (let lead = 0; lead < 60; lead += 3) {
      const disk = await prepared();
      const first = openVirtualRecall(disk.attach()).recall;
      const second = openVirtualRecall(disk.attach()).recall;
      const running = first.update();
      for (let tick = 0; tick < lead; tick += 1) await Promise.resolve();
      const [one, two] = await Promise.all([running, second.update()]);
      expect([one.ok, two.ok]).toEqual([true, true]);
      for (const recall of [first, second])
        expect((await find(recall, "cache")).toSorted()).toEqual(expected);
      await checkAfter(disk.attach(), expected);
    }
  });

  it("a reader sees what another process has added, without being told", async () => {
    const disk = await prepared();
    const reader = openVirtualRecall(disk.attach()).recall;
    const { store, recall } = openVirtualRecall(disk.attach());
    must(await recall.update());
    const before = await find(reader, "cache");
    await append(store, "t", [said("user", "cache from afar")]);
    must(await recall.update());
    expect((await find(reader, "cache from afar"))[0]).toBe("message t: cache from afar");
    expect(before).not.toContain("message t: cache from afar");
  });
});
