export { account } from "./account.ts";
export type { AccountingInput, MessageTraits } from "./accounting.ts";
export {
  type Accounting,
  type Category,
  categories,
  type DuplicateReads,
  type MetricFailure,
  type NamedShare,
  type Share,
} from "./accounting.ts";
export { createRunningAccounting, type RunningAccounting } from "./running-accounting.ts";
