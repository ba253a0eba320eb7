import fc from "fast-check";
import { expect, test } from "vitest";
import type { DiskFile } from "../../core/src/spec/index.ts";
import { createVirtualDisk, type VirtualDisk } from "./virtual-disk.ts";
import { keepUnsynced, loseUnsynced, seededChoices } from "./virtual-power-loss.ts";
import { enumeratePowerLosses } from "./virtual-power-losses.ts";

type Command =
  | {
      readonly call: "create" | "makeDirectory" | "remove" | "removeTree" | "syncDirectory";
      readonly path: string;
    }
  | { readonly call: "rename" | "link"; readonly path: string; readonly to: string }
  | { readonly call: "append"; readonly slot: number; readonly bytes: Uint8Array }
  | { readonly call: "truncate"; readonly slot: number; readonly length: number }
  | { readonly call: "sync"; readonly slot: number };

const one = <const T extends string>(...values: T[]) => fc.constantFrom<T[]>(...values);
const path = one("/a", "/b", "/d", "/d/a", "/d/e", "/d/e/a", "/f", "/f/a");
const slot = fc.nat(3);
const bytes = fc.uint8Array({ minLength: 1, maxLength: 3, min: 1 });
const commands: readonly (readonly [weight: number, fc.Arbitrary<Command>])[] = [
  [4, fc.record({ call: one("create"), path })],
  [2, fc.record({ call: one("makeDirectory", "syncDirectory"), path: one("/", "/d", "/d/e", "/f") })],
  [1, fc.record({ call: one("remove", "removeTree"), path })],
  [3, fc.record({ call: one("rename", "link"), path, to: path })],
  [4, fc.record({ call: one("append"), slot, bytes })],
  [1, fc.record({ call: one("truncate"), slot, length: fc.nat(6) })],
  [2, fc.record({ call: one("sync"), slot })],
];
const script = fc.array(fc.oneof(...commands.map(([weight, arbitrary]) => ({ weight, arbitrary }))), {
  maxLength: 30,
  size: "max",
});

/** Runs each command as exactly one operation. */
function createRunner(disk: VirtualDisk) {
  const files: DiskFile[] = [];
  return async function run(command: Command): Promise<void> {
    if ("slot" in command) {
      const file = files[command.slot % Math.max(1, files.length)];
      if (file === undefined) await disk.list("/");
      else if (command.call === "append") await file.append(command.bytes);
      else if (command.call === "truncate") await file.truncate(command.length);
      else await file.sync();
    } else if (command.call === "create") {
      const opened = await disk.open(command.path, "create");
      if (opened.ok) files.push(opened.value);
    } else if (command.call === "rename" || command.call === "link") {
      await disk[command.call](command.path, command.to);
    } else {
      await disk[command.call](command.path);
    }
  };
}

async function runAll(disk: VirtualDisk, commands: readonly Command[]): Promise<void> {
  const run = createRunner(disk);
  for (const command of commands) await run(command);
}

async function syncAll(disk: VirtualDisk, folder = "/"): Promise<void> {
  const names = await disk.list(folder);
  for (const name of names.ok ? names.value : []) {
    const path = `${folder === "/" ? "" : folder}/${name}`;
    const opened = await disk.open(path, "read");
    if (opened.ok) await opened.value.sync();
    else await syncAll(disk, path);
  }
  await disk.syncDirectory(folder);
}

test("a process crash at any operation leaves exactly what was completed before it", async () => {
  await fc.assert(
    fc.asyncProperty(script, fc.nat(), async (commands, at) => {
      fc.pre(commands.length > 0);
      const crashAt = at % commands.length;
      const [whole, crashing] = [createVirtualDisk(), createVirtualDisk()];
      await runAll(whole, commands.slice(0, crashAt));
      crashing.crashAt(crashAt);
      await runAll(crashing, commands);
      expect(crashing.operations.length).toBe(crashAt + 1);
      expect(crashing.afterProcessCrash().fingerprint()).toBe(whole.fingerprint());
    }),
  );
});

test("a process crash changes nothing about what power loss may take", async () => {
  await fc.assert(
    fc.asyncProperty(script, fc.nat(), async (commands, seed) => {
      const disk = createVirtualDisk();
      await runAll(disk, commands);
      const lose = (from: VirtualDisk) => from.afterPowerLoss(seededChoices(seed)).fingerprint();
      expect(lose(disk.afterProcessCrash())).toBe(lose(disk));
    }),
  );
});

test("keeping everything unsynced equals a process crash", async () => {
  await fc.assert(
    fc.asyncProperty(script, async (commands) => {
      const disk = createVirtualDisk();
      await runAll(disk, commands);
      expect(disk.afterPowerLoss(keepUnsynced).fingerprint()).toBe(disk.fingerprint());
    }),
  );
});

test("once everything is synced no power loss takes anything", async () => {
  await fc.assert(
    fc.asyncProperty(script, fc.nat(), async (commands, seed) => {
      const disk = createVirtualDisk();
      await runAll(disk, commands);
      await syncAll(disk);
      expect(disk.afterPowerLoss(seededChoices(seed)).fingerprint()).toBe(disk.fingerprint());
      expect(disk.afterPowerLoss(loseUnsynced).fingerprint()).toBe(disk.fingerprint());
    }),
  );
});

test("what a power loss left survives the next one", async () => {
  await fc.assert(
    fc.asyncProperty(script, fc.nat(), async (commands, seed) => {
      const disk = createVirtualDisk();
      await runAll(disk, commands);
      const left = disk.afterPowerLoss(seededChoices(seed));
      expect(left.afterPowerLoss(loseUnsynced).fingerprint()).toBe(left.fingerprint());
    }),
  );
});

test("a file keeps what was synced, whatever becomes of later appends", async () => {
  const steps = fc.array(fc.oneof(bytes, fc.constant("sync" as const)), { maxLength: 20, size: "max" });
  await fc.assert(
    fc.asyncProperty(steps, fc.nat(), async (appends, seed) => {
      const disk = createVirtualDisk();
      disk.writeWhole("/log", "");
      const opened = await disk.open("/log", "append");
      if (!opened.ok) throw opened.error;
      let synced = 0;
      for (const step of appends) {
        if (step === "sync") await opened.value.sync();
        else await opened.value.append(step);
        if (step === "sync") synced = disk.readWhole("/log").length;
      }
      const [before, after] = [
        disk.readWhole("/log"),
        disk.afterPowerLoss(seededChoices(seed)).readWhole("/log"),
      ];
      expect(after.slice(0, synced)).toEqual(before.slice(0, synced));
      expect(after.length).toBeLessThanOrEqual(before.length);
      expect(after.every((byte, at) => byte === 0 || byte === before[at])).toBe(true);
    }),
  );
});

test("names made before a directory's sync are there, and removed ones are not", async () => {
  const step = fc.record({ call: one("create", "remove", "sync"), name: one("a", "b", "c") });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 15, size: "max" }), fc.nat(), async (steps, seed) => {
      const disk = createVirtualDisk();
      const settled = new Map<string, boolean>();
      for (const { call, name } of steps) {
        if (call === "create") await disk.open(`/${name}`, "create");
        if (call === "remove") await disk.remove(`/${name}`);
        if (call === "sync") await disk.syncDirectory("/");
        if (call === "sync")
          for (const each of ["a", "b", "c"]) settled.set(each, disk.snapshot().has(`/${each}`));
        else settled.delete(name);
      }
      const left = disk.afterPowerLoss(seededChoices(seed)).snapshot();
      expect([...settled.keys()].map((name) => left.has(`/${name}`))).toEqual([...settled.values()]);
    }),
  );
});

test("an enumeration holds both extremes, no outcome twice, and every sample when it is exhaustive", async () => {
  let exhaustive = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.oneof(...commands.map(([, arbitrary]) => arbitrary)), { maxLength: 7 }),
      async (commands) => {
        const disk = createVirtualDisk();
        disk.writeWhole("/d/e/a", "x");
        await runAll(disk, commands);
        const losses = enumeratePowerLosses(disk, 200);
        const prints = [...losses].map((outcome) => outcome.disk.fingerprint());
        const distinct = new Set(prints);
        expect(distinct.size).toBe(prints.length);
        const choices = [loseUnsynced, keepUnsynced, ...[1, 2, 3, 4].map(seededChoices)];
        for (const choose of losses.exhaustive ? choices : choices.slice(0, 2)) {
          expect(distinct).toContain(disk.afterPowerLoss(choose).fingerprint());
        }
        if (losses.exhaustive) exhaustive++;
      },
    ),
    { numRuns: 60 },
  );
  expect(exhaustive).toBeGreaterThan(20);
});
