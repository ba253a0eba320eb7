export { backgroundWorkConformance, type WorkWorld } from "./conformance/background-work.ts";
export { blobStoreConformance } from "./conformance/blob-store.ts";
export { type ConsolidateLockWorld, consolidateLockConformance } from "./conformance/consolidate-lock.ts";
export { fileTreeConformance } from "./conformance/file-tree.ts";
export { learnedStoreConformance } from "./conformance/learned-store.ts";
export { leaseStoreConformance } from "./conformance/lease-store.ts";
export { logStoreConformance } from "./conformance/log-store.ts";
export { mailboxConformance } from "./conformance/mailbox.ts";
export { type ModelSurroundings, modelConformance } from "./conformance/model-conformance.ts";
export type { ConformanceCase } from "./conformance/outcomes.ts";
export { projectStoreConformance } from "./conformance/project-store.ts";
export { recallIndexConformance } from "./conformance/recall-index.ts";
export { type SpendingPair, spendingLedgerConformance } from "./conformance/spending-ledger.ts";
export { createEmulator } from "./emulator/create-emulator.ts";
export type { AppliedEdit } from "./emulator/edits/clear-tool-uses.ts";
export type { EmulatedModel } from "./emulator/emulated-models.ts";
export type { AnswerModel, Emulator, EmulatorOptions } from "./emulator/emulator.ts";
export type { Endpoint, RecordedRequest, RequestOutcome } from "./emulator/recorded-request.ts";
export type { RecordedRequests } from "./emulator/request-log.ts";
export {
  type Answer,
  type AnswerBlock,
  answer,
  callTool,
  type SaidText,
  say,
  type Thought,
  type ToolCall,
  think,
  thinkRedacted,
} from "./emulator/script/answer.ts";
export { builtInAgent } from "./emulator/script/built-in-agent.ts";
export {
  type DropFault,
  type ErrorFault,
  type Fault,
  fault,
  type RetryOptions,
  type StreamFault,
  type StreamOptions,
  type TooLongFault,
} from "./emulator/script/fault.ts";
export type { Reply, Script, ScriptFunction, ScriptRule, ScriptState } from "./emulator/script/script.ts";
export { atRequest, otherwise, when } from "./emulator/script/script.ts";
export type { ApiError } from "./emulator/server/api-error.ts";
export type { RequestViolation, WireBody, WireUsage } from "./emulator/wire.ts";
export { createSeededRandom, type SeededRandom } from "./seeded-random.ts";
export { createVirtualClock, createVirtualIds, type VirtualClock } from "./virtual-clock.ts";
export { createVirtualDisk, type VirtualDisk, type VirtualDiskOptions } from "./virtual-disk.ts";
export type { DiskOperation, DiskRequest, OperationPredicate, PartialOptions } from "./virtual-operations.ts";
export type { Planting } from "./virtual-planting.ts";
export {
  keepUnsynced,
  loseUnsynced,
  type PowerLossChoice,
  type PowerLossInput,
  seededChoices,
} from "./virtual-power-loss.ts";
export { enumeratePowerLosses, type PowerLosses, type PowerLossOutcome } from "./virtual-power-losses.ts";
export { createVirtualProcesses, type VirtualProcesses } from "./virtual-processes.ts";
