import type { LoopEvent, RunEnd } from "@palimpsest/core/spec";

/** Where a run's events go. */
export interface RunOutput {
  hear(event: LoopEvent): Promise<void>;
  /** Nothing is half written: something else may be said now. */
  settle(): Promise<void>;
  finish(end: RunEnd): Promise<void>;
}
