import type { IntentRecord } from "../../spec/index.ts";

/** Which requests are not settled, by their position among all. */
interface OpenRequests {
  /** Asked since the turn began, and not answered yet. */
  readonly current: readonly number[];
  /** Asked in earlier turns, whose end waits for a word of the user or could not be understood. */
  readonly waiting: readonly number[];
  /** Asked in earlier turns that ended while their to-dos were open. */
  readonly listed: readonly number[];
}

/** Everything the intent ledger knows at some entry. Plain data that never changes. */
export interface IntentSnapshot extends OpenRequests {
  readonly records: readonly IntentRecord[];
  /** The model has just said that it could not: open, and no later turn will settle it by its end alone. */
  readonly failed: readonly number[];
  /** The requests hit by the newest stop or interruption, until something new is asked. */
  readonly stopped: readonly number[];
  /** The newest message that asks for something. */
  readonly newest: number | null;
  /** How many requests there were when the to-dos at hand were begun; 0 where there are none. */
  readonly listedBefore: number;
  readonly hasOpenTodos: boolean;
  /** What the newest request is about, settled or not. */
  readonly newestSubjects: readonly string[];
  /** The newest request asks for something to be run, and for nothing else. */
  readonly newestIsRun: boolean;
  /** The newest request asks to commit, push or deploy. */
  readonly newestShips: boolean;
  /** What the last requests are about, settled or not. */
  readonly former: readonly RequestSubjects[];
  /** The model made a call since the turn began. */
  readonly hasCalled: boolean;
  /** A command failed behind the newest change, and none has passed since. */
  readonly hasFailed: boolean;
  readonly failedCommand: string | null;
  /** Commands that failed at the end of a turn, and for which request. */
  readonly broken: readonly BrokenCommand[];
  /** Requests that had failed, and are spoken of again in this turn. */
  readonly retried: readonly number[];
  /** To-dos were changed since the turn began. */
  readonly touchedTodos: boolean;
  /** The turn before ended with a question. */
  readonly wasAsked: boolean;
  /** What that question was about. */
  readonly question: readonly string[];
  /** Requests that wait for the answer to a question which the user has answered with another. */
  readonly parked: readonly number[];
  /** Something was changed since the turn began. */
  readonly hasChanged: boolean;
  /** What open requests are about; the newest ones. */
  readonly subjects: readonly RequestSubjects[];
  /** The response that made the newest call: words beside a call end no turn. */
  readonly callingResponse: string | null;
  /** The state before the turn was taken to be over, to go back to where it goes on after all. */
  readonly beforeEnd: TurnEnd | null;
}

export interface BrokenCommand {
  readonly command: string;
  readonly position: number;
}

export interface RequestSubjects {
  readonly position: number;
  readonly subjects: readonly string[];
  /** It asks to know something, or answers a question: what is told settles it. */
  readonly isToldOnly: boolean;
}

interface TurnEnd extends OpenRequests {
  readonly failed: readonly number[];
  readonly wasAsked: boolean;
  readonly question: readonly string[];
  readonly subjects: readonly RequestSubjects[];
  /** The requests it settled. */
  readonly settled: readonly number[];
}

export const noIntents: IntentSnapshot = {
  records: [],
  current: [],
  waiting: [],
  listed: [],
  failed: [],
  stopped: [],
  newest: null,
  newestSubjects: [],
  newestIsRun: false,
  newestShips: false,
  former: [],
  hasCalled: false,
  hasFailed: false,
  failedCommand: null,
  broken: [],
  retried: [],
  listedBefore: 0,
  hasOpenTodos: false,
  touchedTodos: false,
  wasAsked: false,
  question: [],
  parked: [],
  hasChanged: false,
  subjects: [],
  callingResponse: null,
  beforeEnd: null,
};
