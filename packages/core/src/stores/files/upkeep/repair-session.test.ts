import { describe, expect, it } from "vitest";
import { messageDraft, sessionDraft } from "../../../../../../test/support/entries.ts";
import { changingOperations, maintenanceParts } from "../../../../../../test/support/maintenance.ts";
import { createVirtualStore, logPath } from "../../../../../../test/support/virtual-store.ts";
import { must, refused } from "../../../../../testing/src/conformance/outcomes.ts";
import { createVirtualClock } from "../../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk, type VirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import { enumeratePowerLosses } from "../../../../../testing/src/virtual-power-losses.ts";
import { createVirtualProcesses } from "../../../../../testing/src/virtual-processes.ts";
import type { Entry } from "../../../spec/index.ts";
import { leasePatienceMs } from "../../shared/leases.ts";
import { repairSession } from "./remove-session.ts";

const path = logPath("one");
const text = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");

async function writtenLog(): Promise<VirtualDisk> {
  const disk = createVirtualDisk();
  const writer = must(await createVirtualStore({ disk }).logs.create(sessionDraft("one")));
  for (const content of ["first", "second", "third", "fourth"])
    must(await writer.append([messageDraft(content)]));
  must(await writer.close());
  return disk;
}

/** The third line damaged, a line of an older writer behind a newer one's, and half a line at the end. */
async function damagedLog(): Promise<VirtualDisk> {
  const disk = await writtenLog();
  const processes = createVirtualProcesses({ bootId: "later" });
  const writer = must(await createVirtualStore({ disk, processes }).logs.open("one", () => undefined));
  must(await writer.append([messageDraft("fifth")]));
  must(await writer.close());
  const lines = text(disk.readWhole(path)).split("\n");
  const fenced = lines[4];
  lines[2] = `${"\0".repeat(20)}${lines[2]?.slice(20)}`;
  disk.writeWhole(path, `${lines.join("\n")}${fenced}\n{"v":1,"seq":99,"half`);
  return disk;
}

async function entriesOf(disk: VirtualDisk): Promise<readonly Entry[]> {
  const entries: Entry[] = [];
  must(await createVirtualStore({ disk }).logs.scan("one", (entry) => entries.push(entry)));
  return entries;
}

describe("repairSession", () => {
  it("finds nothing to do in a whole log, and leaves it as it is", async () => {
    const disk = await writtenLog();
    const before = disk.readWhole(path);
    const report = must(await repairSession(maintenanceParts(disk), "one"));
    expect(report).toMatchObject({ entries: 5, damages: [], asides: [], rewritten: false });
    expect(disk.readWhole(path)).toEqual(before);
  });

  it("repairs the file that is there once it has the lease, and loses no line written meanwhile", async () => {
    const disk = await damagedLog();
    const parts = maintenanceParts(disk);
    const late = {
      ...parts.leases,
      async acquire(...given: Parameters<typeof parts.leases.acquire>) {
        must(await repairSession(maintenanceParts(disk), "one"));
        const writer = must(await createVirtualStore({ disk }).logs.open("one", () => undefined));
        must(await writer.append([messageDraft("written meanwhile")]));
        must(await writer.close());
        return parts.leases.acquire(...given);
      },
    };
    must(await repairSession({ ...parts, leases: late }, "one"));
    expect(JSON.stringify(await entriesOf(disk))).toContain("written meanwhile");
  });

  it("takes damaged and fenced lines out, keeps their bytes aside and every entry in force", async () => {
    const disk = await damagedLog();
    const before = await entriesOf(disk);
    const bytesBefore = disk.readWhole(path).length;
    const report = must(await repairSession(maintenanceParts(disk), "one"));
    expect(report).toMatchObject({
      entries: before.length,
      corruptLines: 1,
      fencedLines: 1,
      tornBytes: 21,
      asides: [`${path}.corrupt`, `${path}.fenced`, `${path}.torn`],
      bytesBefore,
      bytesAfter: disk.readWhole(path).length,
      rewritten: true,
    });
    expect(await entriesOf(disk)).toEqual(before);
    expect(text(disk.readWhole(`${path}.torn`))).toContain('{"v":1,"seq":99,"half');
    const scanned = must(await createVirtualStore({ disk }).logs.scan("one", () => undefined));
    expect(scanned).toMatchObject({ corruptLines: 0, fencedLines: 0, salvaged: 0, tornBytes: 0 });
    const again = must(await repairSession(maintenanceParts(disk), "one"));
    expect(again).toMatchObject({ damages: [], rewritten: false });
  });

  it("gives entries that stood in one line a line each", async () => {
    const disk = await writtenLog();
    const before = await entriesOf(disk);
    const lines = text(disk.readWhole(path)).split("\n");
    disk.writeWhole(path, `${lines[0]}\n${lines[1]}${lines[2]}\n${lines[3]}\n${lines[4]}\n`);
    const report = must(await repairSession(maintenanceParts(disk), "one"));
    expect(report).toMatchObject({ salvaged: 2, corruptLines: 0, rewritten: true });
    expect(text(disk.readWhole(path))).toBe(lines.join("\n"));
    expect(await entriesOf(disk)).toEqual(before);
  });

  it("does not rewrite a log whose former writer may still be alive", async () => {
    const disk = await damagedLog();
    const clock = createVirtualClock();
    const elsewhere = createVirtualProcesses({ host: "elsewhere" });
    const writer = must(
      await createVirtualStore({ disk, clock, processes: elsewhere }).logs.open("one", () => undefined),
    );
    const parts = maintenanceParts(disk, createVirtualProcesses({ host: "here" }), clock);
    expect(refused(await repairSession(parts, "one", { takeOver: true }))).toBe("held");
    clock.jump(leasePatienceMs + 1);
    const before = disk.readWhole(path);
    const outcome = await repairSession(parts, "one", { takeOver: true });
    expect(outcome).toMatchObject({ ok: false, error: { code: "held" } });
    expect(outcome.ok ? "" : outcome.error.message).toContain("former writer");
    expect(disk.readWhole(path)).toEqual(before);
    await writer.close();
  });

  it("says that there is no such session, or that nothing in it can be read", async () => {
    const disk = await writtenLog();
    expect(refused(await repairSession(maintenanceParts(disk), "other"))).toBe("not-found");
    disk.writeWhole(path, "\0\0\0\0\n");
    expect(refused(await repairSession(maintenanceParts(disk), "one"))).toBe("corrupt");
  });

  it("passes a full disk and refused calls on, and leaves the log as it was", async () => {
    const disk = await damagedLog();
    const before = await entriesOf(disk);
    for (const index of await operationsOf(disk)) {
      const copy = disk.afterProcessCrash();
      copy.failAt(index, "disk-full");
      await repairSession(maintenanceParts(copy), "one");
      expect(await entriesOf(copy.afterProcessCrash()), `operation ${index}`).toEqual(before);
    }
  });

  it("leaves the old log or the new one, whole, wherever it is cut off", async () => {
    const disk = await damagedLog();
    const before = await entriesOf(disk);
    for (const index of await operationsOf(disk)) {
      const copy = disk.afterProcessCrash();
      copy.crashAt(index, { partial: index % 2 === 0 ? 7 : 0 });
      await repairSession(maintenanceParts(copy), "one");
      const left = [
        copy.afterProcessCrash(),
        ...[...enumeratePowerLosses(copy, 3)].map((outcome) => outcome.disk),
      ];
      for (const after of left) {
        expect(await entriesOf(after), `operation ${index}`).toEqual(before);
        must(
          await repairSession(maintenanceParts(after, createVirtualProcesses({ bootId: "third" })), "one"),
        );
        expect(await entriesOf(after), `operation ${index}, again`).toEqual(before);
        const scanned = must(await createVirtualStore({ disk: after }).logs.scan("one", () => undefined));
        expect(scanned).toMatchObject({ corruptLines: 0, fencedLines: 0, tornBytes: 0 });
      }
    }
  });
});

async function operationsOf(disk: VirtualDisk): Promise<readonly number[]> {
  const copy = disk.afterProcessCrash();
  await repairSession(maintenanceParts(copy), "one");
  return changingOperations(copy);
}
