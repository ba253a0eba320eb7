import type { IntentRecord, IntentState, TodoRecord } from "../../spec/index.ts";
import { sharedList } from "../ledgers/ledger-parts.ts";
import { plainWords, readRequestWords } from "./request-words.ts";

/** Words of the model's, and which response they are part of. */
interface AnswerPart {
  readonly entry: string;
  readonly response: string;
  readonly text: string;
  /** The response was cut off, or refused. */
  readonly isBroken: boolean;
  /** A call stands beside the words, and is told of next: they end nothing. */
  readonly hasCalls?: boolean;
}

/**
 * The state of the user's requests, kept up to date event by event. Only what is sure settles a request: when in doubt
 * it stays open. Every event costs what is not settled, whatever went before.
 */
export interface IntentWriter {
  /** The user said something. */
  say(entry: string, seq: number, text: string): void;
  /** The model said something: the turn is over unless a call follows. */
  answer(part: AnswerPart): void;
  /** The model made a call: the turn goes on. */
  call(response: string): void;
  /** To-dos were changed, and are these now. */
  list(entry: string, todos: readonly TodoRecord[]): void;
  /** The user broke off what was being done. */
  interrupt(): void;
  /** Valid until the next event. */
  readonly records: readonly IntentRecord[];
  /** The entry of the newest message that asks for something. */
  readonly newestRequest: string | undefined;
  snapshot(): IntentSnapshot;
}

export function createIntents(start: IntentSnapshot = noIntents): IntentWriter {
  const records = sharedList(start.records);
  let state: Omit<IntentSnapshot, "records"> = start;

  function settle(positions: readonly number[], as: Exclude<IntentState, "open">, by: string): void {
    for (const position of positions) {
      const record = records.value[position];
      if (!record || (record.state !== "open" && as !== "superseded")) continue;
      records.own()[position] = { entry: record.entry, seq: record.seq, state: as, by };
    }
  }

  function reopen(positions: readonly number[]): void {
    for (const position of positions) {
      const record = records.value[position];
      if (record) records.own()[position] = { entry: record.entry, seq: record.seq, state: "open" };
    }
  }

  function isOver(): boolean {
    return state.beforeEnd !== null;
  }

  /** Calls off all that is not settled, and what was interrupted. */
  function stop(by: string, isReplaced: boolean): void {
    const { current, waiting, listed, failed, stopped } = state;
    const all = [...stopped, ...waiting, ...listed, ...failed, ...current];
    const positions = all.filter((position) => records.value[position]?.state === "open");
    settle(positions, isReplaced ? "superseded" : "cancelled", by);
    state = { ...state, stopped: positions, current: [], waiting: [], listed: [], failed: [] };
  }

  /** A request in work is neither done nor called off: what the user says next decides. */
  function interrupt(): void {
    const { current, stopped } = state;
    state = { ...state, stopped: [...stopped, ...current], current: [] };
  }

  /** The newest request, asked before these words, is no longer what is wanted, answered or not. */
  function replace(by: string): void {
    const { newest, failed } = state;
    if (newest === null) return;
    const former = records.value[newest]?.state;
    if (former !== "open" && former !== "done") return;
    settle([newest], "superseded", by);
    const without = (positions: readonly number[]) => positions.filter((position) => position !== newest);
    state = {
      ...state,
      current: without(state.current),
      waiting: without(state.waiting),
      listed: without(state.listed),
      failed: without(failed),
    };
  }

  function resume(): void {
    reopen(state.stopped);
    state = { ...state, current: [...state.current, ...state.stopped], stopped: [] };
  }

  /** A new turn begins with the first words after the end of the one before. */
  function beginTurn(): void {
    if (isOver()) state = { ...state, beforeEnd: null, touchedTodos: false };
  }

  /** The turn goes on after all: what its end settled is as it was. */
  function undoEnd(): void {
    const { beforeEnd } = state;
    if (!beforeEnd) return;
    const { settled, ...before } = beforeEnd;
    reopen(settled);
    state = { ...state, ...before, beforeEnd: null };
  }

  function end({ entry, text, isBroken }: AnswerPart): void {
    const { current, waiting, listed, failed, wasAsked, hasOpenTodos, touchedTodos } = state;
    const before = { current, waiting, listed, failed, wasAsked };
    const meaning = isBroken ? "could-not" : readAnswerWords(text);
    const after = endedTurn(meaning, hasOpenTodos && touchedTodos);
    settle(after.settled, "done", entry);
    const { settled, ...rest } = after;
    state = { ...state, ...rest, current: [], beforeEnd: { ...before, settled } };
  }

  /** Whether the end of a turn that is undone at once leaves everything as it was: then nobody needs its meaning. */
  function areAllOpen(): boolean {
    const isOpen = (position: number) => records.value[position]?.state === "open";
    return state.current.every(isOpen) && state.waiting.every(isOpen);
  }

  function endedTurn(meaning: ReturnType<typeof readAnswerWords>, isListed: boolean) {
    const { current, waiting, listed, failed } = state;
    if (meaning === "asked")
      return { settled: [], waiting: [...waiting, ...current], listed, failed, wasAsked: true };
    if (meaning === "could-not")
      return { settled: [], waiting, listed, failed: current.length > 0 ? current : failed, wasAsked: false };
    if (isListed)
      return {
        settled: [],
        waiting: [],
        listed: [...listed, ...waiting, ...current],
        failed,
        wasAsked: false,
      };
    if (meaning === "unclear") return { settled: waiting, waiting: current, listed, failed, wasAsked: false };
    return { settled: [...waiting, ...current], waiting: [], listed, failed, wasAsked: false };
  }

  return {
    say(entry, seq, text) {
      const { meaning, isBare } = readRequestWords(text);
      const position = records.value.length;
      const isAnswer = state.wasAsked && isOver();
      if (meaning === "stop") stop(entry, !isBare);
      else if (meaning === "correction" && !isAnswer) replace(entry);
      else if (meaning === "resume") resume();
      else if (meaning === "interruption") interrupt();
      beginTurn();
      const asksNothing = isBare && (meaning === "stop" || meaning === "interruption");
      records.own().push({ entry, seq, ...(asksNothing ? { state: "done", by: entry } : { state: "open" }) });
      if (asksNothing) return;
      const newest = meaning === "resume" && state.newest !== null ? state.newest : position;
      state = { ...state, current: [...state.current, position], newest, stopped: [], failed: [] };
    },
    answer(part) {
      if (part.text.trim() === "" || part.response === state.callingResponse) return;
      undoEnd();
      if (!part.hasCalls || !areAllOpen()) end(part);
    },
    call(response) {
      undoEnd();
      state = { ...state, callingResponse: response };
    },
    list(entry, todos) {
      const hasOpen = todos.some(({ status }) => status === "pending" || status === "in_progress");
      const listedBefore = state.hasOpenTodos || !hasOpen ? state.listedBefore : records.value.length;
      if (!hasOpen && todos.length > 0 && state.hasOpenTodos) {
        const isMeant = (position: number) => position < listedBefore;
        const positions = [...state.listed, ...state.waiting, ...state.current].filter(isMeant);
        const areCancelled = todos.every(({ status }) => status === "cancelled");
        settle(positions, areCancelled ? "cancelled" : "done", entry);
        const isOther = (position: number) => !isMeant(position);
        state = {
          ...state,
          listed: state.listed.filter(isOther),
          waiting: state.waiting.filter(isOther),
          current: state.current.filter(isOther),
        };
      }
      state = { ...state, listedBefore, hasOpenTodos: hasOpen, touchedTodos: true };
    },
    interrupt,
    get records() {
      return records.value;
    },
    get newestRequest() {
      return state.newest === null ? undefined : records.value[state.newest]?.entry;
    },
    snapshot: () => ({ ...state, records: records.share() }),
  };
}

/**
 * The meaning of a turn's last words for the requests. `asked`: the user is to answer first. `could-not`: it was not
 * done. `unclear`: in a language the tables do not know.
 */
export type AnswerMeaning = "answered" | "asked" | "could-not" | "unclear";

/** Questions that wait for nothing. */
const courtesies =
  /\b(?:anything|something) else\b|\b(?:does (?:that|this) (?:help|make sense)|make sense)\s*\?/;

const couldNot = [
  /\bi(?:'m| am| was|'ve been| have been)? (?:sorry,? (?:but )?i )?(?:could not|couldn't|can't|cannot|can not|unable to|not able to|wasn't able to|am unable to|was unable to|won't be able to|failed to|did not manage|didn't manage)\b(?! (?:find|see|spot|detect|think of) (?:any|anything|a reason|other|another|more)| help but)/,
  /\b(?:is|are|was|were)(?:n't| not) (?:done|finished|complete|completed|implemented|fixed) yet\b/,
  /\b(?:i(?:'m| am)) (?:blocked|stuck)\b/,
  /\bstill (?:fails|failing|broken|not working)\b/,
];

const askedInWords =
  /\b(?:let me know|tell me|please (?:confirm|tell|choose|pick|decide|provide|share|specify)) (?:which|whether|what|how|if you(?:'d| would) (?:prefer|rather|like me to)|when you(?:'re| are) ready)\b/;

const english =
  /\b(?:the|and|is|are|was|it|to|of|in|on|i|i've|you|your|this|that|now|with|for|all|done|fixed|added|ok|okay|yes|no|not|a|an)\b/;

/** How much of the end is looked at for a question. */
const maxEndChars = 600;

/** Reads the words with which a turn ended, calls and results aside. */
export function readAnswerWords(text: string): AnswerMeaning {
  const words = plainWords(text);
  const end = lastParagraph(words);
  if (isQuestion(end)) return "asked";
  if (couldNot.some((pattern) => pattern.test(words))) return "could-not";
  return english.test(words) || !/\p{L}{2}/u.test(words) ? "answered" : "unclear";
}

function isQuestion(end: string): boolean {
  if (askedInWords.test(end)) return true;
  const questions = end.match(/[^.!?。？؟\n]*[?？؟]/g) ?? [];
  return questions.some((question) => !courtesies.test(question));
}

function lastParagraph(words: string): string {
  const paragraphs = words.split(/\n\s*\n/).filter((paragraph) => /[\p{L}\p{N}]/u.test(paragraph));
  return (paragraphs.at(-1) ?? "").slice(-maxEndChars);
}

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
  /** To-dos were changed since the turn began. */
  readonly touchedTodos: boolean;
  /** The turn before ended with a question. */
  readonly wasAsked: boolean;
  /** The response that made the newest call: words beside a call end no turn. */
  readonly callingResponse: string | null;
  /** The state before the turn was taken to be over, to go back to where it goes on after all. */
  readonly beforeEnd: TurnEnd | null;
}

interface TurnEnd extends OpenRequests {
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
