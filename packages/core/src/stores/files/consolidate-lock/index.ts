export { type ConsolidateLockOptions, createConsolidateLock } from "./consolidate-lock.ts";
export { lockName } from "./lock-record.ts";
