export type { LedgerSnapshot } from "./ledger-snapshot.ts";
export {
  createLedgers,
  type LedgerWriter,
  maxCommandLength,
  maxCommands,
  maxErrorLength,
  maxErrors,
} from "./ledgers.ts";
export { type FileReading, readFileState } from "./tool-call.ts";
