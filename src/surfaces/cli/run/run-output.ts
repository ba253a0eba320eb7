import type { LoopEvent, RunEnd } from "../../../spec/index.ts";

/** Where a run's events go. */
export interface RunOutput {
  hear(event: LoopEvent): Promise<void>;
  /** Nothing is half written: something else may be said now. */
  settle(): Promise<void>;
  finish(end: RunEnd): Promise<void>;
}
