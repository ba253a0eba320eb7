import type { IntentRecord, IntentState, TodoRecord } from "../../spec/index.ts";
import { sharedList } from "../ledgers/ledger-parts.ts";
import { type AnswerMeaning, asksToShip, leavesPart, readAnswerWords, tellsFailure } from "./answer-words.ts";
import { type BrokenCommand, type IntentSnapshot, noIntents, type RequestSubjects } from "./intent-state.ts";
import { agrees, asksToRun, confirms, declines, likedBefore, putsOff, takesOver } from "./reaction-words.ts";
import {
  asksToKnow,
  callsOffByName,
  defers,
  holdsUp,
  isQuestionBack,
  putAside,
  readRequestWords,
  soundsLikeReply,
  takesAllBack,
  takesBack,
  wantsMore,
} from "./request-words.ts";
import { subjectsOf } from "./revoking-words.ts";

/** Words of the model's, and which response they are part of. */
interface AnswerPart {
  readonly entry: string;
  readonly response: string;
  readonly text: string;
  /** The response was cut off, or refused. */
  readonly isBroken: boolean;
  /** The model has come to its end. */
  readonly isEnd?: boolean;
  /** A call stands beside the words, and is told of next: they end nothing. */
  readonly hasCalls?: boolean;
}

/**
 * The state of the user's requests, kept up to date event by event. Only what is sure settles a request: when in doubt
 * it stays open. Every event costs what is not settled, whatever went before.
 */
export interface IntentWriter {
  /**
   * The user said something. `isStanding`: nothing but what binds from now on, which is never done. `asked`: the same without what binds.
   */
  say(entry: string, seq: number, text: string, isStanding?: boolean, asked?: string): void;
  /** The model said something: the turn is over unless a call follows. */
  answer(part: AnswerPart): void;
  /** The model made a call: the turn goes on. */
  call(response: string): void;
  /** A call has changed something. */
  change(): void;
  /** A command came to its end. */
  run(command: string, hasFailed: boolean): void;
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

/** How much of a message and of a question says what they are about. */
const maxSubjectChars = 2_000;
const maxQuestionChars = 400;
/** How many words of a request are kept for naming it, and of how many requests. */
const maxSubjects = 40;
const maxNamed = 60;
/** Of so many requests it is known what they were about once they are settled. */
const maxFormer = 12;
/** How many failed commands are kept until they pass, and how much of each. */
const maxBroken = 20;
const maxCommandChars = 200;
const newTurn = { failedCommand: null, retried: [], hasChanged: false, hasCalled: false, hasFailed: false };
/** Commands that fail where they find nothing. */
const looksUp =
  /^\s*(?:cd \S+ *&& *)?(?:git )?(?:grep|rg|ag|ls|find|fd|cat|head|tail|which|command|type|test|diff|\[)(?![\w-])/;
const checks =
  /(?<![\w-])(?:tests?|vitest|jest|mocha|pytest|phpunit|rspec|ctest|tox|nox|lint|eslint|biome|ruff|clippy|mypy|tsc|typecheck|check|spec)(?![\w-])/u;
/** The answer says itself with which code a command ended: so it was meant. */
const tellsExit = (text: string) =>
  /(?:exits?|ends?|code|status|with|mit|avec|con|返回|退出码|コード|で)\s*(?:code\s*)?[1-9]\d{0,2}(?!\d)/iu.test(
    text,
  );
/** So much of two messages is the same where one is the other, said again. */
const samePart = 0.6;
const isNearly = (subjects: ReadonlySet<string>, former: readonly string[]) =>
  former.length > 1 &&
  former.filter((subject) => subjects.has(subject)).length >=
    samePart * Math.max(former.length, subjects.size);
const thankWords = /thank|thx|danke|merci|gracias|谢|ありがとう/iu;
const noWords =
  /^\s*(?:no|nope|nein|non|不|いいえ|that's (?:it|all)|that is all|das (?:war|ist)|c'est tout|eso es todo)/iu;

export function createIntents(start: IntentSnapshot = noIntents): IntentWriter {
  const records = sharedList(start.records);
  let state: Omit<IntentSnapshot, "records"> = start;

  function settle(positions: readonly number[], as: Exclude<IntentState, "open">, by: string): void {
    for (const position of positions) {
      const record = records.value[position];
      if (!record || (record.state !== "open" && as !== "superseded")) continue;
      records.own()[position] = { entry: record.entry, seq: record.seq, state: as, by };
    }
    const isOpen = ({ position }: RequestSubjects) => records.value[position]?.state === "open";
    state = { ...state, subjects: state.subjects.filter(isOpen) };
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
    undoEnd();
    const { current, stopped } = state;
    state = { ...state, stopped: [...stopped, ...current], current: [], wasAsked: false, ...newTurn };
  }

  /** A request, the newest one unless it is named, is no longer what is wanted, answered or not. */
  function replace(by: string, as: "superseded" | "cancelled" = "superseded", position = state.newest): void {
    if (position === null) return;
    const former = records.value[position]?.state;
    if (former !== "open" && former !== "done") return;
    reopen([position]);
    callOff(position, by, as);
  }

  function resume(): void {
    reopen(state.stopped);
    state = { ...state, current: [...state.current, ...state.stopped], stopped: [] };
  }

  /** A new turn begins with the first words after the end of the one before. */
  function beginTurn(): void {
    if (isOver()) state = { ...state, beforeEnd: null, touchedTodos: false, ...newTurn };
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
    const { current, waiting, listed, failed, wasAsked, question, hasOpenTodos, touchedTodos } = state;
    const before = { current, waiting, listed, failed, wasAsked, question };
    const meaning = isBroken ? "could-not" : meaningOf(text);
    const after = endedTurn(meaning, hasOpenTodos && touchedTodos, text);
    const subjects = state.subjects;
    settle(after.settled, "done", entry);
    if (meaning === "could-not" && state.failedCommand !== null)
      keepBroken(state.failedCommand, [...waiting, ...current]);
    const { settled, ...rest } = after;
    const asked = meaning === "asked" ? [...subjectsOf(text.slice(-maxQuestionChars))] : [];
    state = { ...state, ...rest, question: asked, current: [], beforeEnd: { ...before, settled, subjects } };
  }

  function keepBroken(command: string, positions: readonly number[]): void {
    const broken = [...state.broken, ...positions.map((position) => ({ command, position }))];
    state = { ...state, broken: broken.slice(-maxBroken) };
  }

  /** The command passes that had failed: what it was run for is worked on again. */
  function mend(command: string): void {
    const mended = state.broken.filter((one) => one.command.startsWith(command));
    if (mended.length === 0) return;
    const isOpen = ({ position }: BrokenCommand) => records.value[position]?.state === "open";
    const positions = mended.filter(isOpen).map(({ position }) => position);
    const current = [...new Set([...positions, ...state.current])];
    state = { ...state, current, broken: state.broken.filter((one) => !mended.includes(one)) };
  }

  /** What happened counts for more than words: a check that failed behind the newest change says that it is not done. */
  function meaningOf(text: string): AnswerMeaning {
    const { hasChanged, hasFailed, hasCalled } = state;
    if (text.trim() === "") return hasFailed ? "could-not" : "answered";
    const read = readAnswerWords(text, {
      hasCalled,
      hasChanged: hasChanged && !hasFailed,
      isToShip: state.newestShips,
    });
    if (read === "unclear" && hasChanged && !hasFailed) return "answered";
    const isFailure = hasFailed && (hasChanged || tellsFailure(text)) && !tellsExit(text) && !wasRunOnly();
    return isFailure && read === "answered" ? "could-not" : read;
  }

  /** Whether the end of a turn that is undone at once leaves everything as it was: then nobody needs its meaning. */
  function areAllOpen(): boolean {
    const isOpen = (position: number) => records.value[position]?.state === "open";
    return state.current.every(isOpen) && state.waiting.every(isOpen);
  }

  function endedTurn(meaning: AnswerMeaning, isListed: boolean, text: string) {
    const { current, waiting, listed, failed } = state;
    if (meaning === "asked") {
      /** A question is answered, and so is a reply, whatever is asked in return. */
      const settled = state.subjects.flatMap((one) =>
        one.isToldOnly && !state.hasFailed && current.includes(one.position) ? one.position : [],
      );
      const open = current.filter((position) => !settled.includes(position));
      return {
        settled,
        waiting: leavesPart(text) ? waiting : [...waiting, ...open],
        listed,
        failed,
        wasAsked: true,
      };
    }
    const wasAsked = meaning === "offered";
    if (meaning === "could-not")
      return {
        settled: [],
        waiting: [],
        listed,
        failed: leavesPart(text) ? [] : [...waiting, ...(current.length > 0 ? current : failed)],
        wasAsked: false,
      };
    if (isListed)
      return {
        settled: [],
        waiting: [],
        listed: [...listed, ...waiting, ...current],
        failed,
        wasAsked,
      };
    if (meaning === "unclear") return { settled: waiting, waiting: current, listed, failed, wasAsked: false };
    /** What had failed is not done by words alone. */
    const isRetold = (position: number) => !state.hasCalled && state.retried.includes(position);
    const settled = [...waiting, ...current.filter((position) => !isRetold(position))];
    return { settled, waiting: [], listed, failed: [...failed, ...current.filter(isRetold)], wasAsked };
  }

  /** Whether words are about an open request, or about the question that was asked last. */
  function isAbout(
    subjects: ReadonlySet<string>,
    positions: readonly number[],
    question: readonly string[] = [],
  ): boolean {
    const known = state.subjects.flatMap((one) => (positions.includes(one.position) ? one.subjects : []));
    return [...known, ...question].some((subject) => subjects.has(subject));
  }

  /** The user was asked, and says something else: what waited for the answer stays open, and is not done with this. */
  function hearReply(text: string, subjects: ReadonlySet<string>): void {
    const { waiting, parked, question } = state;
    const asked = [...parked, ...waiting];
    if (defers(text)) {
      state = { ...state, waiting: [], parked: asked };
      return;
    }
    const isReply = soundsLikeReply(text) || (parked.length === 0 && isAbout(subjects, asked, question));
    if (isQuestionBack(text)) state = { ...state, waiting: [], parked: asked };
    else state = { ...state, waiting: isReply ? asked : [], parked: [] };
  }

  /** The open request that words name, where it is one alone. */
  function namedRequest(subjects: ReadonlySet<string>): number | undefined {
    const scored = state.subjects.map(({ position, subjects: own }) => {
      return { position, score: own.filter((subject) => subjects.has(subject)).length };
    });
    const most = Math.max(1, ...scored.map(({ score }) => score));
    const best = scored.filter(({ score }) => score === most);
    return best.length === 1 ? best[0]?.position : undefined;
  }

  /** The user broke off what was being done, and has not called it off. */
  function isBrokenOff(): boolean {
    return state.stopped.some((position) => records.value[position]?.state === "open");
  }

  function onlyStopped(): number | undefined {
    return isBrokenOff() && state.stopped.length === 1 ? state.stopped[0] : undefined;
  }

  /** Orders stand between a question and its answer. */
  function setAside(): void {
    if (!isOver()) return;
    state = { ...state, parked: [...state.parked, ...state.waiting], waiting: [] };
    beginTurn();
  }

  function isAboutNewest(subjects: ReadonlySet<string>): boolean {
    return state.newestSubjects.some((subject) => subjects.has(subject));
  }

  /** Which of the last requests words are about, settled or not: the newest where they name none. */
  function formerRequest(words: string): number | null {
    const subjects = subjectsOf(words);
    const about = state.former.filter((one) => one.subjects.some((subject) => subjects.has(subject)));
    if (about.length === 0 || about.some(({ position }) => position === state.newest)) return state.newest;
    return about.length === 1 ? (about[0]?.position ?? null) : null;
  }

  function callOff(position: number, by: string, as: "superseded" | "cancelled" = "cancelled"): void {
    settle([position], as, by);
    const without = (positions: readonly number[]) => positions.filter((one) => one !== position);
    const { current, waiting, listed, failed } = state;
    state = {
      ...state,
      current: without(current),
      waiting: without(waiting),
      listed: without(listed),
      failed: without(failed),
    };
  }

  /** What the turn before was thought to have done is not. */
  function reopenLast(): void {
    const settled = state.beforeEnd?.settled ?? [];
    reopen(settled);
    state = { ...state, current: [...settled, ...state.current] };
  }

  /** Whether a message that says thanks, or yes, asks for nothing: where a question waits, or nothing is done yet, a yes is an answer. */
  function isOnlyThanks(text: string): boolean {
    const isThanks = thankWords.test(text);
    return state.wasAsked ? isThanks || noWords.test(text) : isThanks || state.failed.length === 0;
  }

  /** Runs of tests were asked for, and how they ended is told. */
  function wasRunOnly(): boolean {
    const { current, newest, newestIsRun, failedCommand, hasChanged } = state;
    return (
      newestIsRun &&
      !hasChanged &&
      newest !== null &&
      current.includes(newest) &&
      checks.test(failedCommand ?? "")
    );
  }

  return {
    say(entry, seq, text, isStanding = false, asked = text) {
      const position = records.value.length;
      if (isStanding && !isBrokenOff() && !(state.wasAsked && isOver() && agrees(text))) {
        records.own().push({ entry, seq, state: "open", isStanding });
        setAside();
        return;
      }
      const { meaning, isBare, isWeak } = readRequestWords(text, asked);
      const subjects = subjectsOf(text.slice(0, maxSubjectChars));
      const isAnswer = state.wasAsked && isOver();
      const isNamedStop = state.subjects.length > 0 && meaning !== "stop" && callsOffByName(text);
      const byName = isNamedStop ? namedRequest(subjects) : undefined;
      const named = byName ?? (isNamedStop ? onlyStopped() : undefined);
      const unliked = likedBefore(text);
      const isHeldUp = state.stopped.length > 0 && meaning !== "resume" && holdsUp(text);
      const isThanks = meaning === "thanks" && isOver() && isOnlyThanks(text);
      if (isOver() && meaning !== "complaint" && confirms(text)) settle(state.failed, "done", entry);
      if (meaning === "stop") {
        stop(entry, !isBare);
        if (takesAllBack(text)) replace(entry, "cancelled");
      } else if (isOver() && takesOver(text)) {
        const as = state.hasChanged ? "done" : "cancelled";
        settle([...state.failed, ...state.waiting], as, entry);
      } else if (unliked !== undefined) replace(entry, "cancelled", formerRequest(unliked));
      else if (isAnswer && !state.hasChanged && declines(text)) settle(state.waiting, "cancelled", entry);
      else if (named !== undefined)
        callOff(named, entry, byName !== undefined && wantsMore(text) ? "superseded" : "cancelled");
      else if (isHeldUp || (state.stopped.length > 0 && isNearly(subjects, state.newestSubjects)))
        replace(entry);
      else if (takesBack(text) && isAboutNewest(subjects)) replace(entry, "cancelled");
      else if (meaning === "undo") replace(entry, "cancelled");
      else if (meaning === "correction" && isOver() && state.hasFailed) reopenLast();
      else if (meaning === "correction" && !isAnswer && (!isWeak || isAboutNewest(subjects))) replace(entry);
      else if (isAboutNewest(subjectsOf(putAside(text)))) replace(entry);
      else if (meaning === "resume" || (asked !== text && isBrokenOff())) resume();
      else if (meaning === "complaint" && isOver()) reopenLast();
      else if (isThanks) settle(state.waiting, "done", entry);
      if (isThanks) state = { ...state, waiting: [] };
      else if (isOver() && (isAnswer || state.parked.length > 0) && !isBare) hearReply(text, subjects);
      const goesOn =
        !isQuestionBack(text) &&
        (meaning === "resume" ||
          meaning === "complaint" ||
          soundsLikeReply(text) ||
          isAbout(subjects, state.failed));
      const failed = goesOn && !isThanks ? state.failed : [];
      beginTurn();
      const asksNothing =
        isThanks ||
        (named !== undefined && !wantsMore(text)) ||
        (isBare && (meaning === "stop" || meaning === "command"));
      records.own().push({ entry, seq, ...(asksNothing ? { state: "done", by: entry } : { state: "open" }) });
      if (asksNothing) return;
      const newest = meaning === "resume" && state.newest !== null ? state.newest : position;
      const isToldOnly = asksToKnow(text) || (isAnswer && soundsLikeReply(text));
      const own = { position, subjects: [...subjects].slice(0, maxSubjects), isToldOnly };
      const all = [...state.subjects, own];
      const current = [...failed, ...state.current, ...(putsOff(text) ? [] : [position])];
      const newestSubjects = newest === position ? own.subjects : state.newestSubjects;
      state = {
        ...state,
        current,
        newest,
        newestSubjects,
        newestIsRun: asksToRun(text),
        newestShips: asksToShip(text),
        former: [...state.former, own].slice(-maxFormer),
        retried: failed,
        stopped: [],
        failed: [],
        subjects: all.slice(-maxNamed),
      };
    },
    answer(part) {
      if (part.response === state.callingResponse) return;
      if (part.text.trim() === "" && (!part.isEnd || isOver())) return;
      undoEnd();
      if (!part.hasCalls || !areAllOpen()) end(part);
    },
    call(response) {
      undoEnd();
      state = { ...state, callingResponse: response, hasCalled: true };
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
    change() {
      state = { ...state, hasChanged: true, hasFailed: false };
    },
    run(command, hasFailed) {
      if (hasFailed && looksUp.test(command)) return;
      state = { ...state, hasFailed, failedCommand: hasFailed ? command.slice(0, maxCommandChars) : null };
      if (!hasFailed) mend(command.slice(0, maxCommandChars));
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
