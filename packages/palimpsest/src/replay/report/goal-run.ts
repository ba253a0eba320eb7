import type { RunRecord } from "../run-report.ts";

/** One session under the judged policy at one price row. */
export interface GoalRun {
  readonly session: string;
  readonly plain: RunRecord;
  readonly fetched: RunRecord;
  /** What it costs over the floor, with fetches. */
  readonly excess: number;
  /** The part of that which fetching again costs. */
  readonly fetchCost: number;
}
