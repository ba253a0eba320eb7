import { expect, it } from "vitest";
import { dreamDisk, dreamer, openDreamProcess, topic } from "../../../../../test/support/dream-world.ts";
import { must } from "../../../../testing/src/conformance/outcomes.ts";
import type { VirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { openMemory } from "../memory/open-memory.ts";
import { recoverDreams } from "./recover-dreams.ts";

const files = {
  "a.md": topic("One."),
  "b.md": topic("Two."),
  "c.md": topic("Three."),
  "d.md": topic("Four."),
};
const rename = dreamer((now) => {
  now.set("e.md", topic("One, renamed."));
  now.delete("a.md");
});
const before = ["a.md", "b.md", "c.md", "d.md"];
const after = ["b.md", "c.md", "d.md", "e.md"];

const storeOf = (disk: VirtualDisk) => openDreamProcess(disk).store;

/** The memories as they stand, whatever is under way. */
async function standing(disk: VirtualDisk) {
  const files = must(await storeOf(disk).tree("memory").list());
  return files.map(({ path }) => path).filter((path) => path !== "MEMORY.md");
}

/** The output of `memory list`. */
async function listed(disk: VirtualDisk) {
  const open = { project: "test", search: false, maskSecrets: false, judgeMemory: false } as const;
  const memory = await openMemory({ store: storeOf(disk), ...open });
  return (await memory.list()).map(({ path }) => path);
}

const operationsOf = async (disk: VirtualDisk) => {
  const counted = disk.attach();
  must(await recoverDreams(storeOf(counted)));
  return counted.operations.length;
};

/** A dream whose process dies before each operation that brings a file of memory in. */
async function interrupted() {
  const start = await dreamDisk(files);
  const trace = start.afterProcessCrash();
  const whole = openDreamProcess(trace);
  must(await whole.dreams.once(rename, { isByHand: true }));
  whole.exit();
  const disks: VirtualDisk[] = [];
  for (const { index, name } of trace.operations) {
    if (name !== "link" && name !== "rename" && name !== "remove") continue;
    const disk = start.afterProcessCrash();
    const process = openDreamProcess(disk);
    disk.crashAt(index);
    await process.dreams.once(rename, { isByHand: true });
    process.exit();
    disks.push(disk.afterProcessCrash());
  }
  return disks;
}

it("a dream that died is finished for whoever opens memory: it lists as before or as after, never half", async () => {
  const seen = new Set<string>();
  for (const disk of await interrupted()) {
    const half = await standing(disk);
    expect([before, after]).toContainEqual(await listed(disk.afterProcessCrash()));
    const recovered = must(await recoverDreams(storeOf(disk)));
    const found = await standing(disk);
    expect([before, after]).toContainEqual(found);
    if (recovered.length > 0) expect(recovered).toMatchObject([{ state: "applied" }]);
    else expect(half).toEqual(found);
    expect(must(await recoverDreams(storeOf(disk)))).toEqual([]);
    seen.add(half.join());
  }
  // Without it both files are there for a while.
  expect([...seen]).toEqual([before, [...before, "e.md"], after].map((paths) => paths.join()));
});

it("costs a look at the folder of dreams, and touches neither lock nor memory where all are at rest", async () => {
  const disk = await dreamDisk(files);
  expect(await operationsOf(disk)).toBeLessThanOrEqual(5);
  const process = openDreamProcess(disk);
  must(await process.dreams.once(rename, { isByHand: true }));
  const counted = disk.attach();
  must(await recoverDreams(storeOf(counted)));
  const elsewhere = counted.operations.filter(({ path }) => !path.includes("/dreams"));
  expect([elsewhere, counted.operations.length > 0]).toEqual([[], true]);
});

it("waits while another one dreams", async () => {
  for (const disk of await interrupted()) {
    if ((await standing(disk)).length !== 5) continue;
    const held = must(await openDreamProcess(disk).lock.acquire());
    expect(must(await recoverDreams(storeOf(disk)))).toEqual([]);
    expect(await listed(disk)).toEqual([...before, "e.md"]);
    must(await held.abandon());
    expect(must(await recoverDreams(storeOf(disk)))).toMatchObject([{ state: "applied" }]);
    expect(await listed(disk)).toEqual(after);
    return;
  }
  expect.unreachable("no disk is half changed");
});
