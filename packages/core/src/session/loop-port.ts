import type {
  Capabilities,
  Clock,
  EventBody,
  FileStamp,
  ForkKind,
  ForkOptions,
  ForkResult,
  Ids,
  KeepWarmReport,
  LoopEvent,
  ModelRequest,
  ModelResponse,
  Note,
  Prepared,
  QuerySource,
  Result,
  RunOptions,
  Session,
  SessionEndReason,
  SessionStatistics,
  Surroundings,
  Usage,
  View,
} from "../spec/index.ts";
import type { NextRead } from "./cache/keep-warm.ts";
import type { KeptRequest } from "./cache/kept-request.ts";
import type { RequestHead } from "./head/request-head.ts";
import type { RequestTrigger } from "./prepare/request-builder.ts";
import type { OwnSecret, OwnSecretMask } from "./secrets/index.ts";
import type { SessionConfig } from "./session-config.ts";

/** The loop's access to a session, besides what everybody may do. */
export interface SessionHandle {
  readonly session: Session;
  readonly source: QuerySource;
  /** Where the agent works. */
  readonly cwd: string;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly emit: (event: EventBody) => void;
  /** Masks keys of the process itself. */
  readonly secrets: OwnSecretMask;
  head(): RequestHead;
  config(): SessionConfig;
  view(): View;
  statistics(): SessionStatistics;
  /**
   * The cost of a response, by the model that it names and the one that was asked for it, the session's own where that
   * is not given.
   */
  dollars(usage: Usage, answered: string, asked?: string): number;
  /** The file as the model has it before its eyes. */
  fileStamp(path: string): FileStamp | undefined;
  note(note: Note): Promise<Result<void>>;
  /** Why the usage of the answer to the request made last cannot be believed; `null` where it can. */
  doubtUsage(answer: Pick<ModelResponse, "usage" | "content" | "contextManagement">): string | null;
  /**
   * As `session.prepare`. `reactive`: the provider has found the request before too long. The signal ends what layers
   * do before the request; what they have not finished then has not happened.
   */
  prepare(trigger: RequestTrigger, signal?: AbortSignal): Promise<Result<Prepared>>;
  /** Takes out the image that a provider has refused, as far as its words tell which; says how many blocks changed. */
  dropImages(words: string): Promise<Result<number>>;
  /** From here on another model answers. The thinking of the one before leaves the view. */
  switchModel(model: string): Promise<Result<void>>;
  /** Capabilities from the model's server hold from here on, where nothing else was set. */
  learnCapabilities(told: Partial<Capabilities>): Promise<Result<void>>;
  /** When the cache is to be read next so that it stays warm. */
  nextRead(): NextRead;
  keepWarm(signal: AbortSignal): Promise<Result<KeepWarmReport>>;
  /** A session of its own that begins where this one stands, with a log of its own. */
  fork(kind: ForkKind): Promise<Result<SessionHandle>>;
}

export interface AskOptions {
  /** At most; absent: as many as make sense. */
  readonly tries?: number;
}

/** Keeps the prompt of a session warm whose requests another program sends. Handed in, as the loop is. */
export interface RelayPort {
  /** The session is open. */
  open(handle: SessionHandle): void;
  /** The newest answered request, or why nothing is read. */
  kept(): Result<KeptRequest>;
}

/** How a session acts by itself. Handed in, since the loop stands above the engine. */
export interface LoopPort {
  /** Keys that its models were given. */
  readonly keys?: readonly OwnSecret[];
  run(handle: SessionHandle, prompt: string, options: RunOptions): AsyncIterable<LoopEvent>;
  queue(prompt: string): void;
  /** Tokens of the request that would be sent now, by the provider's own count. */
  count(handle: SessionHandle): Promise<Result<number>>;
  /** Sends one request to the session's model, as it is, and gives the whole answer. Nothing is added to the session. */
  ask?(
    handle: SessionHandle,
    request: ModelRequest,
    signal: AbortSignal,
    options?: AskOptions,
  ): Promise<Result<ModelResponse>>;
  /** One read that keeps the cache warm, beside no run. */
  keepWarm?(handle: SessionHandle): Promise<Result<KeepWarmReport>>;
  fork(handle: SessionHandle, directive: string, options: ForkOptions): Promise<Result<ForkResult>>;
  /** The program's abilities for the session's layers. Never throws: what is not there is absent. */
  surroundings(handle: SessionHandle): Promise<Surroundings>;
  /**
   * A program adds to the session by itself, or asks for a request: where no run has begun it, it begins now. `null`
   * where there is nothing to wait for.
   */
  begin?(handle: SessionHandle): Promise<Result<void>> | null;
  /** Ends what goes on; the session is closed behind it. */
  close(handle: SessionHandle, reason: SessionEndReason): Promise<void>;
}
