import { isRecord, textField } from "../../../json/json-values.ts";
import type { IntentState, Ledgers, TodoRecord, UserMessageRecord } from "../../../spec/index.ts";
import { boundedText } from "../../ledgers/ledger-parts.ts";
import { quoteCode, quoteForeign, quoteUser, quoteWhole, shortId, showName } from "../../quote-foreign.ts";
import type { IdWord } from "../../read-back.ts";
import { isWorthALine } from "../answer-pieces.ts";
import { carriedLines } from "../carried-lines.ts";
import { fenceText, lastChars, type Piece } from "../piece.ts";
import type { CallReading, SessionReading } from "../read-session.ts";
import { isMisaddressed, mechanical, passesSince, rejection, solvedBy, whatFollowed } from "./call-parts.ts";
import { headAndTail, openRequests } from "./request-parts.ts";

const planChars = 3_000;
const lastWordsChars = [240, 1_500, 6_000] as const;
const quoteChars = 300;
const targetChars = 100;
/** More than the ledger keeps of an error. */
export const maxErrorChars = 2_000;

export interface WorkParts {
  readonly openTodos: readonly Piece[];
  readonly settledTodos: readonly Piece[];
  /** How the list of to-dos says that one of them is being done. */
  readonly todoForms: readonly Piece[];
  /** The plan in a line; and its text, which stands apart. */
  readonly plan: readonly Piece[];
  readonly planText: readonly Piece[];
  readonly errors: readonly Piece[];
  readonly lastWords: readonly Piece[];
  readonly nextStep: readonly Piece[];
}

export function workParts(ledgers: Ledgers, reading: SessionReading, idWord: IdWord = "recall"): WorkParts {
  const { todos, todosRequest } = ledgers;
  const state = stateOf(ledgers, todosRequest);
  const isOff = state === "cancelled" || state === "superseded";
  const label = isOff ? `To-dos of a ${state} request, not to be gone on with:` : "To-dos:";
  const open = todos.filter(isOpen);
  const settled = todos.filter((todo) => !isOpen(todo));
  return {
    openTodos: open.map((todo) => ({ label, levels: [todoLine(todo)] })),
    settledTodos: settled.map((todo) => ({ label, levels: [todoLine(todo)] })),
    todoForms: todoFormPieces(reading),
    plan: planLine(ledgers),
    planText: planText(ledgers),
    errors: errorPieces(ledgers, reading, idWord),
    lastWords: lastWordsPieces(ledgers, reading, idWord),
    nextStep: nextStepPieces(ledgers, reading, isOff ? [] : open),
  };
}

export function isOpen({ status }: TodoRecord): boolean {
  return status === "pending" || status === "in_progress";
}

/** The state of the request that to-dos or a plan belong to. */
export function stateOf({ intents }: Ledgers, request: string | undefined): IntentState {
  return intents.findLast(({ entry }) => entry === request)?.state ?? "open";
}

export function todoLine({ content, status }: TodoRecord): string {
  return `- [${status.replace("_", " ")}] ${quoteWhole(content)}`;
}

const formsLabel = "The to-dos as they read while in_progress:";

/** Of the newest list; where none is in the view, what the summary before said. */
function todoFormPieces(reading: SessionReading): readonly Piece[] {
  const newest = reading.calls.findLast(({ purpose }) => purpose.purpose === "todos");
  const { todos } = (newest?.input ?? {}) as { readonly todos?: unknown };
  if (!Array.isArray(todos)) return carriedLines(reading, formsLabel);
  const forms = todos.flatMap((todo) =>
    isRecord(todo) && todo.status !== "completed" ? (textField(todo, "activeForm") ?? []) : [],
  );
  return forms.map((form) => ({ label: formsLabel, levels: [`- ${quoteForeign(form, quoteChars)}`] }));
}

function planHead({ plan, planRequest }: Ledgers, state: IntentState): string {
  const path = plan?.path === undefined ? "" : `, in ${showName(plan.path)}`;
  return `Plan (${planRequest === undefined ? "open" : state}${path}):`;
}

function planLine(ledgers: Ledgers): readonly Piece[] {
  const { plan, planRequest } = ledgers;
  if (!plan) return [];
  const state = stateOf(ledgers, planRequest);
  const isOff = state === "cancelled" || state === "superseded";
  const line = `${planHead(ledgers, state)} ${quoteForeign(plan.text, quoteChars)}`;
  return [{ levels: [isOff ? `${line} Not to be followed.` : line] }];
}

/** The text of a plan that may be followed. */
function planText(ledgers: Ledgers): readonly Piece[] {
  const { plan, planRequest } = ledgers;
  const state = stateOf(ledgers, planRequest);
  if (!plan || state === "cancelled" || state === "superseded") return [];
  const head = planHead(ledgers, state);
  const cut =
    plan.text.length > planChars ? [`${head}\n${fenceText(boundedText(plan.text, planChars))}`] : [];
  return [{ levels: [...cut, `${head}\n${fenceText(plan.text)}`] }];
}

/** More errors than these are of earlier work. */
const maxErrors = 8;
const rejectionChars = 160;

/**
 * Errors that nothing has resolved, those of commands that went well since apart; then calls that the user said no to, and
 * those that were only wrong calls.
 * What is told as a failure of a call in the view is not told again.
 */
function errorPieces(ledgers: Ledgers, reading: SessionReading, idWord: IdWord): readonly Piece[] {
  const errors = openErrors(ledgers, reading);
  const told = [
    ...errors.filter(({ text }) => !rejection.test(text) && !isMisaddressed(text)),
    ...errors.filter(({ text }) => rejection.test(text)),
    ...errors.filter(({ text }) => isMisaddressed(text)),
  ];
  return told.map(({ toolUseId, tool, target, text }) => {
    const head = `- ${errorHead(tool, target)} · ${idWord} ${shortId(toolUseId)}`;
    if (rejection.test(text)) {
      const said = /the user said:\s*([\s\S]+)$/.exec(text)?.[1];
      const why = said === undefined ? "" : `: ${quoteForeign(said, rejectionChars)}`;
      return { label: "The user said no to:", levels: [`${head}${why}`] };
    }
    return {
      label: isMisaddressed(text) ? "Calls that named what is not there:" : "Not resolved, newest first:",
      levels: [
        `${head}: ${quoteForeign(text, 160)}`,
        `${head}: ${quoteCode(text, maxErrorChars)}${whatFollowed(reading.calls, toolUseId)}`,
      ],
    };
  });
}

/** The newest errors that nothing has resolved, newest first; without those that only told how to make a call. */
export function openErrors(
  { unresolvedErrors }: Ledgers,
  { calls }: SessionReading,
): Ledgers["unresolvedErrors"] {
  const solved = solvedBy(calls);
  return unresolvedErrors
    .toReversed()
    .filter(
      (error) => !solved.has(error.toolUseId) && !passesSince(calls, error) && !mechanical.test(error.text),
    )
    .slice(0, maxErrors);
}

/** A failure's head: its tool, and what it was about. */
export function errorHead(tool: string, target: string | undefined): string {
  return target === undefined ? showName(tool) : `${showName(tool)} ${quoteForeign(target, targetChars)}`;
}

/** What the assistant said last, where that is no answer, which is told as such. */
function lastWordsPieces({ answers }: Ledgers, { words }: SessionReading, idWord: IdWord): readonly Piece[] {
  const last = words.at(-1);
  if (!last || answers.some(({ entry, text }) => entry === last.entry && isWorthALine({ text }))) return [];
  const lengths = lastWordsChars.filter(
    (_chars, at) => at === 0 || last.text.length > (lastWordsChars[at - 1] ?? 0),
  );
  return [
    {
      label: "Last words of the assistant:",
      levels: lengths.map((chars) =>
        last.text.length > chars
          ? `- ${quoteCode(`… ${lastChars(last.text, chars)}`, 2 * chars)} (${idWord} ${shortId(last.entry)})`
          : `- ${quoteCode(last.text, 2 * chars)}`,
      ),
    },
  ];
}

/** A shorter request needs the question that it answers. */
const bareRequestChars = 60;

function nextStepPieces(
  ledgers: Ledgers,
  { calls }: SessionReading,
  open: readonly TodoRecord[],
): readonly Piece[] {
  const todo = open.find(({ status }) => status === "in_progress") ?? open[0];
  const at = openRequests(ledgers).at(-1) ?? -1;
  const message = ledgers.userMessages[at];
  const lines = [
    ...(message ? [requestLine(message, at + 1, ledgers, calls)] : []),
    ...(todo ? [`The to-do at hand: ${quoteForeign(todo.content, quoteChars)}`] : []),
  ];
  if (lines.length === 0) return [{ levels: ["Nothing asked is open. What the user says next counts."] }];
  return lines.map((line) => ({ levels: [line] }));
}

/** The newest open request: what it replies to where it is short, and whether it is being worked on already. */
function requestLine(
  { entry, seq, text }: UserMessageRecord,
  number: number,
  { answers, findings, userMessages }: Ledgers,
  calls: readonly CallReading[],
): string {
  const quote = quoteUser(text.length > quoteChars ? headAndTail(text) : text, quoteChars);
  const { question } =
    (text.length <= bareRequestChars && findings.findLast((finding) => finding.entry === entry)) || {};
  const reply = question === undefined ? "" : `, said to ${quoteForeign(question, quoteChars)}`;
  const line = `The newest open request is message ${number}: ${quote}${reply}.`;
  const since = calls.filter((call) => call.seq > seq);
  const isNewest = userMessages.length === number;
  if (answers.some((answer) => answer.seq > seq))
    return `${line} It was answered, and is not surely settled.`;
  if (!isNewest || since.length === 0) return line;
  return `${line} It is in work: ${since.length} ${since.length === 1 ? "call" : "calls"} since, and no answer yet.`;
}
