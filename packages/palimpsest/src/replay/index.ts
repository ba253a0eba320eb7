export {
  type CacheTtl,
  modelRow,
  type PriceRow,
  ratioRow,
  ratioRows,
  type TtlChoice,
} from "./cost/price-row.ts";
export { normalize } from "./normalize.ts";
export { policies } from "./policies/index.ts";
export type { Policy, PolicyContext } from "./policy.ts";
export { withoutDuplicates } from "./policy.ts";
export { type PreparedRecording, prepareRecording } from "./prepared-recording.ts";
export type { RecordedSession } from "./recorded-session.ts";
export {
  catalogRowName,
  createReplay,
  type PolicyRuns,
  type Replay,
  type ReplayLane,
  type ReplayOptions,
  replayRecording,
  rowNames,
  type SessionOutcome,
} from "./replay-recording.ts";
export { buildReport, type Gathered } from "./report/build-report.ts";
export { htmlReport } from "./report/html-report.ts";
export { markdownReport } from "./report/markdown-report.ts";
export type { PolicySummary, ReplayGoal, ReplayReport } from "./report/replay-report.ts";
export { textReport } from "./report/text-report.ts";
export type { RunRecord } from "./run-report.ts";
export type { Calibration } from "./sizes/calibrate-session.ts";
