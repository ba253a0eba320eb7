import { isObject, textOf } from "../../../log/import/json-value.ts";
import type { IntentState, Ledgers, TodoRecord } from "../../../spec/index.ts";
import { boundedText } from "../../ledgers/bounded-text.ts";
import { shortId } from "../../short-id.ts";
import { carriedLines } from "../carried-lines.ts";
import { fenced, lastChars, oneLine } from "../one-line.ts";
import type { Piece } from "../piece.ts";
import type { SessionReading } from "../read-session.ts";

const planChars = 3_000;
const lastWordsChars = [240, 1_500, 6_000] as const;
const quoteChars = 300;

export interface WorkParts {
  readonly openTodos: readonly Piece[];
  readonly settledTodos: readonly Piece[];
  /** How the list of to-dos says that one of them is being done. */
  readonly todoForms: readonly Piece[];
  readonly plan: readonly Piece[];
  readonly errors: readonly Piece[];
  readonly lastWords: readonly Piece[];
  readonly nextStep: readonly Piece[];
}

export function workParts(ledgers: Ledgers, reading: SessionReading): WorkParts {
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
    plan: planPieces(ledgers),
    errors: errorPieces(ledgers),
    lastWords: lastWordsPieces(reading),
    nextStep: nextStepPieces(ledgers, isOff ? [] : open),
  };
}

export function isOpen({ status }: TodoRecord): boolean {
  return status === "pending" || status === "in_progress";
}

/** What became of the request that to-dos or a plan belong to. */
export function stateOf({ intents }: Ledgers, request: string | undefined): IntentState {
  return intents.findLast(({ entry }) => entry === request)?.state ?? "open";
}

export function todoLine({ content, status }: TodoRecord): string {
  return `- [${status.replace("_", " ")}] ${content}`;
}

const formsLabel = "The to-dos as they read while in_progress:";

/** Of the newest list; where none is in the view, what the summary before said. */
function todoFormPieces(reading: SessionReading): readonly Piece[] {
  const newest = reading.calls.findLast(({ purpose }) => purpose.purpose === "todos");
  const { todos } = (newest?.input ?? {}) as { readonly todos?: unknown };
  if (!Array.isArray(todos)) return carriedLines(reading, formsLabel);
  const forms = todos.flatMap((todo) => (isObject(todo) ? (textOf(todo, "activeForm") ?? []) : []));
  return forms.map((form) => ({ label: formsLabel, levels: [`- ${oneLine(form, quoteChars)}`] }));
}

function planPieces(ledgers: Ledgers): readonly Piece[] {
  const { plan, planRequest } = ledgers;
  if (!plan) return [];
  const state = stateOf(ledgers, planRequest);
  const path = plan.path === undefined ? "" : `, in ${plan.path}`;
  const line = `Plan (${state}${path}): ${oneLine(plan.text, quoteChars)}`;
  if (state === "cancelled" || state === "superseded") return [{ levels: [`${line} Not to be followed.`] }];
  const head = `Plan (${state}${path}):`;
  const cut = plan.text.length > planChars ? [`${head}\n${fenced(boundedText(plan.text, planChars))}`] : [];
  return [{ levels: [line, ...cut, `${head}\n${fenced(plan.text)}`] }];
}

function errorPieces({ unresolvedErrors }: Ledgers): readonly Piece[] {
  return unresolvedErrors.toReversed().map(({ toolUseId, tool, target, text }) => {
    const head = `- ${tool}${target === undefined ? "" : ` ${oneLine(target, 100)}`} · recall ${shortId(toolUseId)}: `;
    return {
      label: "Not resolved, newest first:",
      levels: [`${head}${oneLine(text, 160)}`, `${head}${text}`],
    };
  });
}

function lastWordsPieces({ words }: SessionReading): readonly Piece[] {
  const last = words.at(-1);
  if (!last) return [];
  const lengths = lastWordsChars.filter(
    (_chars, at) => at === 0 || last.text.length > (lastWordsChars[at - 1] ?? 0),
  );
  return [
    {
      label: "Last words of the assistant:",
      levels: lengths.map((chars) =>
        last.text.length > chars
          ? `… ${lastChars(last.text, chars)} (recall ${shortId(last.entry)})`
          : last.text,
      ),
    },
  ];
}

function nextStepPieces({ intents, userMessages }: Ledgers, open: readonly TodoRecord[]): readonly Piece[] {
  const todo = open.find(({ status }) => status === "in_progress") ?? open[0];
  const at = intents.findLastIndex(({ state }) => state === "open");
  const message = userMessages[at];
  const lines = [
    ...(message
      ? [`The newest open request is message ${at + 1}: “${oneLine(message.text, quoteChars)}”`]
      : []),
    ...(todo ? [`The to-do at hand: “${oneLine(todo.content, quoteChars)}”`] : []),
  ];
  if (lines.length === 0) return [{ levels: ["Nothing asked is open. What the user says next counts."] }];
  return lines.map((line) => ({ levels: [line] }));
}
