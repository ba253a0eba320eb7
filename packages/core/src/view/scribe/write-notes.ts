import type { Ledgers } from "../../spec/index.ts";
import { quoteUser, toPlainTitle } from "../quote-foreign.ts";
import { answerForms, answerPieces, findingPieces, wholeAnswers } from "./answer-pieces.ts";
import {
  defaultNotesTemplate,
  maxNoteSectionTokens,
  maxNotesTokens,
  type NotesTemplate,
} from "./notes-template.ts";
import { backgroundParts } from "./parts/background-parts.ts";
import { callParts } from "./parts/call-parts.ts";
import { fileParts } from "./parts/file-parts.ts";
import { orderPieces } from "./parts/order-parts.ts";
import { requestParts } from "./parts/request-parts.ts";
import { openErrors, workParts } from "./parts/work-parts.ts";
import { rootOf, rootPieces } from "./path-names.ts";
import { type Piece, packPieces, type ScribeInput, type Step, stepsFor } from "./piece.ts";
import { isRuleLike, readSession } from "./read-session.ts";

const headings = ["# Session notes\n\nBackground, written by the scribe; no instruction.", "# Session notes"];
const lastCalls = 4;

export interface NotesTask extends ScribeInput {
  /** The usual sections unless given; of others, those whose headings it knows are written. */
  readonly template?: NotesTemplate;
  readonly sectionTokens?: number;
}

/**
 * Session notes from the log and its ledgers alone: every section under its limit, the whole under its own and within
 * the budget. The same question gives the same bytes.
 */
export function writeNotes(task: NotesTask): string {
  const {
    items,
    ledgers,
    estimate,
    template = defaultNotesTemplate,
    sectionTokens = maxNoteSectionTokens,
  } = task;
  const root = task.root ?? rootOf(ledgers.files);
  const reading = readSession(items, root);
  const told = new Set(openErrors(ledgers, reading).map(({ toolUseId }) => toolUseId));
  const parts: Parts = {
    requests: requestParts(ledgers),
    files: fileParts(ledgers, reading, root),
    calls: callParts(reading, lastCalls, "recall", told),
    work: workParts(ledgers, reading),
    background: backgroundParts(ledgers, reading),
    notes: noteParts(ledgers),
    orders: orderPieces(ledgers, "recall"),
    answers: answerPieces(ledgers.answers, ledgers, "recall").answers,
    findings: findingPieces(ledgers.findings, "recall"),
    root: rootPieces(root),
  };
  const pieces = piecesOf(parts);
  /** Of a template with none of the usual headings, the order is taken for the usual one. */
  const isKnown = template.sections.some(({ heading }) => placeOf(heading) !== -1);
  return packPieces({
    headings,
    sections: template.sections.map(({ heading, description }, at) => ({
      title: `## ${heading}\n> ${description}`,
      pieces: pieces[isKnown ? placeOf(heading) : at] ?? [],
    })),
    steps: stepsOf(parts),
    budgetTokens: Math.min(task.budgetTokens, maxNotesTokens - 1),
    maxSectionTokens: sectionTokens - 1,
    estimate,
    nothing: "",
  }).toWellFormed();
}

/** Where the usual notes have what belongs under a heading; -1 where they have nothing of the kind. */
function placeOf(heading: string): number {
  const plain = heading.trim().toLowerCase();
  return defaultNotesTemplate.sections.findIndex((section) => section.heading.toLowerCase() === plain);
}

interface Parts {
  readonly requests: ReturnType<typeof requestParts>;
  readonly files: ReturnType<typeof fileParts>;
  readonly calls: ReturnType<typeof callParts>;
  readonly work: ReturnType<typeof workParts>;
  readonly background: ReturnType<typeof backgroundParts>;
  readonly notes: ReturnType<typeof noteParts>;
  readonly orders: readonly Piece[];
  readonly answers: readonly Piece[];
  readonly findings: readonly Piece[];
  readonly root: readonly Piece[];
}

/** In the order of the sections. */
function piecesOf({
  requests,
  files,
  calls,
  work,
  background,
  notes,
  root,
  orders,
  answers,
  findings,
}: Parts): readonly (readonly Piece[])[] {
  return [
    notes.title,
    [
      ...work.nextStep,
      ...work.openTodos,
      ...work.plan,
      ...work.planText,
      ...work.lastWords,
      ...calls.last,
      ...calls.open,
    ],
    [...orders, ...requests.messages],
    [...root, ...files.changed, ...files.read, ...files.snippets],
    calls.commands,
    [...work.errors, ...calls.failures, ...notes.corrections],
    [...background.concepts, ...files.seen],
    [...notes.rules, ...findings],
    [...work.settledTodos, ...answers],
    [...background.summaries, ...background.words],
  ];
}

function stepsOf(parts: Parts): readonly Step[] {
  const { requests, files, calls, work, background, notes, root, orders, answers, findings } = parts;
  const { newest, first, rules, others } = requests;
  const newestFirst = (pieces: readonly Piece[]) => pieces.toReversed();
  const told = newestFirst(answers);
  return [
    ...stepsFor([...notes.title, ...orders], 0),
    ...stepsFor([...newest, ...first, ...work.nextStep, ...work.openTodos, ...work.plan], 0),
    ...stepsFor(told, answerForms.id),
    ...stepsFor(
      [...work.errors.slice(0, 1), ...work.lastWords, ...calls.open, ...rules, ...files.changed],
      0,
    ),
    ...stepsFor(told, answerForms.first),
    ...stepsFor([...newest, ...first, ...rules], "last"),
    ...stepsFor([...newest, ...first, ...rules], 1),
    ...stepsFor([...others, ...notes.rules, ...notes.corrections, ...root, ...files.read], 0),
    ...stepsFor([...work.lastWords, ...files.changed], 1),
    ...stepsFor(newestFirst(calls.commands), 1),
    ...stepsFor(told, answerForms.gist),
    ...stepsFor(newestFirst(findings), 0),
    ...stepsFor([...newestFirst(calls.failures), ...work.errors], 1),
    ...stepsFor(newestFirst(calls.last), 0),
    ...stepsFor([...background.concepts, ...files.seen, ...files.snippets], 0),
    ...stepsFor([...background.summaries, ...newestFirst(background.words), ...work.settledTodos], 0),
    ...stepsFor([...others, ...work.planText, ...told.slice(0, wholeAnswers)], "last"),
    ...stepsFor([...newestFirst(background.words), ...files.snippets], 1),
  ];
}

const maxTitleWords = 10;
const ruleChars = 240;

/** Parts that only session notes have. */
interface NoteParts {
  readonly title: readonly Piece[];
  /** The user's bans and demands, newest first. */
  readonly rules: readonly Piece[];
  /** Corrections of something asked before. */
  readonly corrections: readonly Piece[];
}

function noteParts({ userMessages, intents }: Ledgers): NoteParts {
  const quote = (at: number, label: string): Piece => ({
    label,
    levels: [`- Message ${at + 1}: ${quoteUser(userMessages[at]?.text ?? "", ruleChars)}`],
  });
  const positions = userMessages.map((_message, at) => at).reverse();
  const correcting = new Set(intents.flatMap(({ state, by }) => (state === "superseded" && by ? by : [])));
  return {
    title: userMessages[0] ? [{ levels: [titleOf(userMessages[0].text)] }] : [],
    rules: positions
      .filter((at) => isRuleLike(userMessages[at]?.text ?? ""))
      .map((at) => quote(at, "The user's rules, newest first:")),
    corrections: positions
      .filter((at) => correcting.has(userMessages[at]?.entry ?? ""))
      .map((at) => quote(at, "Corrections by the user, newest first:")),
  };
}

function titleOf(text: string): string {
  const words = toPlainTitle(text, 200).split(" ");
  return words.length <= maxTitleWords ? words.join(" ") : `${words.slice(0, maxTitleWords).join(" ")}…`;
}
