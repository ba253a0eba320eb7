import { describe, it } from "vitest";
import { projectStoreConformance } from "../../../../testing/src/conformance/project-store.ts";
import { createVirtualClock, createVirtualIds } from "../../../../testing/src/virtual-clock.ts";
import { createVirtualDisk } from "../../../../testing/src/virtual-disk.ts";
import { createVirtualProcesses } from "../../../../testing/src/virtual-processes.ts";
import { createFileStores } from "./stores.ts";

describe("the stores of projects in files", () => {
  const cases = projectStoreConformance(async () => {
    const disk = createVirtualDisk();
    const clock = createVirtualClock();
    const world = createVirtualProcesses();
    const open = (prefix: string) =>
      createFileStores({
        home: "/home",
        disk,
        clock,
        ids: createVirtualIds(prefix),
        processes: world.spawn(),
        writer: { pid: 1, host: "virtual", version: "0.0.0" },
      });
    return { first: open("a-"), second: open("b-") };
  });
  for (const { name, run } of cases) it(name, run);
});
