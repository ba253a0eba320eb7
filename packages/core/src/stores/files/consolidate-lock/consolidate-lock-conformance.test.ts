import { describe, it } from "vitest";
import { consolidateLockConformance } from "../../../../../testing/src/conformance/consolidate-lock.ts";
import { createVirtualClock, createVirtualIds } from "../../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../../testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../../../../testing/src/virtual-processes.ts";
import { createFileConsolidateLock } from "./consolidate-lock.ts";

const create = async () => {
  const clock = createVirtualClock({ startMs: Date.UTC(2026, 0, 5, 12) });
  const disk = createVirtualDisk({ clock });
  const dying = createVirtualProcesses();
  const lockOf = (processes: typeof dying, label: string) =>
    createFileConsolidateLock({
      disk,
      folder: "/home/memory",
      clock,
      processes,
      ids: createVirtualIds(label),
    });
  return {
    first: lockOf(dying, "a"),
    second: lockOf(dying.spawn(), "b"),
    endFirst: () => dying.exit(),
    now: () => clock.now(),
    pass: (ms: number) => clock.jump(ms),
  };
};

describe("consolidate lock in files", () => {
  for (const { name, run } of consolidateLockConformance(create)) it(name, run);
});
