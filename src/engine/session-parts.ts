import type { CacheTtl } from "../context/economics/request-gaps.ts";
import type { Clock, EventBody, Ids, Layer, Store } from "../spec/index.ts";
import type { LearnedGaps } from "./learned-gaps.ts";
import type { LearnedRates } from "./learned-rates.ts";
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
  readonly gaps: LearnedGaps;
  /** How long the provider keeps what is marked. */
  readonly ttl: CacheTtl;
  readonly emit: (event: EventBody) => void;
}
