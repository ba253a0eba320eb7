import type { Entry, EventBody } from "@palimpsest/core/spec";
import type { RecordedRequest } from "./recorded-session.ts";
import type { RunReport } from "./run-report.ts";

/** Hears of a run while it goes on. It must change nothing: what it is given is the run's own. */
export interface RunWatch {
  /** What the engine tells, with the recorded request it is at. */
  event?(event: EventBody, request: RecordedRequest): void;
  /** A request is paid for; those that fetch something have the index of the one they are made for. */
  paid?(point: RequestPoint): void;
  /** A request was made and its response taken in. `soFar` goes on growing. */
  request?(request: RecordedRequest, soFar: RunReport): void;
  /** The log that the run has made, decisions among the messages; sequence number 1 is left for a header. */
  log?(entries: readonly Entry[]): void;
}

export interface RequestPoint {
  /** Of the recorded request. */
  readonly index: number;
  readonly tokens: number;
  /** By `prices`, in millionths of their unit. */
  readonly cost: number;
  /** The policy made it miss the cache. */
  readonly isPolicyBreak: boolean;
}
