import type { RedactParts } from "../../packages/core/src/stores/files/upkeep/session-upkeep.ts";
import { createVirtualClock, createVirtualIds } from "../../packages/testing/src/virtual-clock.ts";
import type { VirtualDisk } from "../../packages/testing/src/virtual-disk.ts";
import {
  createVirtualProcesses,
  type VirtualProcesses,
} from "../../packages/testing/src/virtual-processes.ts";
import { createVirtualStore } from "./virtual-store.ts";

let labels = 0;

/** What repairing and redacting stand on, as one process on a virtual disk. */
export function maintenanceParts(
  disk: VirtualDisk,
  processes: VirtualProcesses = createVirtualProcesses({ bootId: "next boot" }),
  clock = createVirtualClock(),
): RedactParts {
  labels += 1;
  const { layout, leases, blobs } = createVirtualStore({ disk, clock, processes });
  return { disk, layout, leases, blobs, clock, ids: createVirtualIds(`m${labels}-`) };
}

const changing: ReadonlySet<string> = new Set([
  "append",
  "link",
  "makeDirectory",
  "remove",
  "removeTree",
  "rename",
  "sync",
  "syncDirectory",
  "truncate",
]);

/** The operations of a trial that change the disk: cutting it off at any other one leaves what these left. */
export function changingOperations(trial: VirtualDisk): readonly number[] {
  return trial.operations
    .filter(({ name, how }) => changing.has(name) || how === "create")
    .map(({ index }) => index);
}
