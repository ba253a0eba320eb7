import type {
  Capabilities,
  Clock,
  Durability,
  Event,
  EventBody,
  ForkKind,
  ForkParent,
  Ids,
  Layer,
  QuerySource,
  Result,
  Store,
} from "../spec/index.ts";
import type { CacheLifetime } from "./cache/cache-lifetime.ts";
import type { RequestHead } from "./head/request-head.ts";
import type { LearnedGaps, LearnedRates } from "./learned.ts";
import type { LoopPort, RelayPort } from "./loop-port.ts";
import { layerContext } from "./prepare/facts.ts";
import type { OwnSecretMask } from "./secrets/index.ts";
import type { SessionConfig } from "./session-config.ts";
import type { SessionLog } from "./session-log.ts";
import type { SessionState } from "./session-state.ts";

/** The parts of a session. */
export interface SessionParts {
  readonly id: string;
  /** The conversation with the user, or a fork of it. */
  readonly source: QuerySource;
  /** The conversation that it goes on from; an agent that began afresh has none. */
  readonly parent?: ForkParent;
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
  readonly lifetime: CacheLifetime;
  readonly emit: (event: EventBody) => void;
  /** Masks keys of the process itself in what is appended and told. */
  readonly secrets: OwnSecretMask;
  readonly durability: Durability;
  /** Where the agent works. */
  readonly cwd: string;
  /** The settings, as they hold for a model of which its server may have told something. */
  readonly configFor: (model: string, told?: Partial<Capabilities>) => Promise<Result<SessionConfig>>;
  /** The parts of a fork that begins where these stand. */
  readonly forkParts: (parts: SessionParts, kind: ForkKind) => Promise<Result<SessionParts>>;
  /** Items at the beginning of a fork that other forks of the same answer begin with too; absent: none but the parent's. */
  readonly sharedItems?: number;
  /** Absent where a session only keeps the context of an agent that runs elsewhere. */
  readonly loop?: LoopPort;
  /** Absent where the session's own requests are those that are kept warm. */
  readonly relay?: RelayPort;
  /** The program's abilities for its layers; forks have them too. */
  readonly surroundings?: LoopPort["surroundings"];
}

/** Tells a listener what happens in a session. What the listener throws is dropped: it cannot harm the session. Own keys are masked. */
export function createEmitter(
  session: string,
  clock: Clock,
  listener: ((event: Event) => unknown) | undefined,
  secrets: OwnSecretMask,
): (event: EventBody) => void {
  if (!listener) return () => undefined;
  return (event) => {
    try {
      const at = new Date(clock.now()).toISOString();
      const heard = layerContext.run(false, () => listener({ session, at, ...secrets.value(event) }));
      if (heard instanceof Promise) heard.catch(() => undefined);
    } catch {
      return;
    }
  };
}
