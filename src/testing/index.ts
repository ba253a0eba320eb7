export { blobStoreConformance } from "./conformance/blob-store.ts";
export type { ConformanceCase } from "./conformance/conformance-case.ts";
export { fileTreeConformance } from "./conformance/file-tree.ts";
export { learnedStoreConformance } from "./conformance/learned-store.ts";
export { leaseStoreConformance } from "./conformance/lease-store.ts";
export { logStoreConformance } from "./conformance/log-store.ts";
export { createSeededRandom, type SeededRandom } from "./seeded-random.ts";
export { createVirtualClock, type VirtualClock } from "./virtual-clock.ts";
export { createVirtualDisk, type VirtualDisk, type VirtualDiskOptions } from "./virtual-disk.ts";
export { createVirtualIds } from "./virtual-ids.ts";
export type { DiskOperation, DiskRequest, OperationPredicate, PartialOptions } from "./virtual-operations.ts";
export type { Planting } from "./virtual-planting.ts";
export {
  keepUnsynced,
  loseUnsynced,
  type PowerLossChoice,
  type PowerLossQuestion,
  seededChoices,
} from "./virtual-power-loss.ts";
export { enumeratePowerLosses, type PowerLosses, type PowerLossOutcome } from "./virtual-power-losses.ts";
export { createVirtualProcesses, type VirtualProcesses } from "./virtual-processes.ts";
