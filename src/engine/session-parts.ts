import type { Clock, EventBody, Ids, Layer, Store } from "../spec/index.ts";
import type { LearnedRates } from "./learned-rates.ts";
import type { LearnedRuns } from "./learned-runs.ts";
import type { RequestHead } from "./request-head.ts";
import type { SessionConfig } from "./session-config.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionState } from "./session-state.ts";

/** What a session is made of. */
export interface SessionParts {
  readonly id: string;
  readonly head: RequestHead;
  readonly state: SessionState;
  readonly log: SessionLog;
  readonly store: Store;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly layers: readonly Layer[];
  readonly config: SessionConfig;
  readonly rates: LearnedRates;
  readonly runs: LearnedRuns;
  readonly emit: (event: EventBody) => void;
}
