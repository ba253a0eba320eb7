import type { IntentRecord } from "../../spec/index.ts";

/** Which requests are not settled, by their position among all. */
export interface Unsettled {
  /** Asked since the turn began, and not answered yet. */
  readonly current: readonly number[];
  /** Asked in earlier turns, whose end waits for a word of the user or could not be understood. */
  readonly waiting: readonly number[];
  /** Asked in earlier turns that ended while their to-dos were open. */
  readonly listed: readonly number[];
}

/** Everything the intent ledger knows at some entry. Plain data that never changes. */
export interface IntentSnapshot extends Unsettled {
  readonly records: readonly IntentRecord[];
  /** The model has just said that it could not: open, and no later turn will settle it by its end alone. */
  readonly failed: readonly number[];
  /** What the newest stop or interruption hit, until something new is asked. */
  readonly stopped: readonly number[];
  /** The newest message that asks for something. */
  readonly newest: number | null;
  /** How many requests there were when the to-dos at hand were begun; 0 where there are none. */
  readonly listedBefore: number;
  readonly hasOpenTodos: boolean;
  /** To-dos were changed since the turn began. */
  readonly touchedTodos: boolean;
  /** The turn before ended with a question. */
  readonly wasAsked: boolean;
  /** The response that made the newest call: words beside a call end no turn. */
  readonly callingResponse: string | null;
  /** What stood before the turn was taken to be over, to go back to where it goes on after all. */
  readonly beforeEnd: TurnEnd | null;
}

export interface TurnEnd extends Unsettled {
  readonly failed: readonly number[];
  readonly wasAsked: boolean;
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
  listedBefore: 0,
  hasOpenTodos: false,
  touchedTodos: false,
  wasAsked: false,
  callingResponse: null,
  beforeEnd: null,
};
