import { idWordOf } from "../read-back.ts";
import {
  type AnswerPiece,
  answerForms,
  answerPieces,
  answersLabel,
  findingPieces,
  wholeAnswers,
} from "./answer-pieces.ts";
import { messagesTitle } from "./carried-lines.ts";
import { backgroundParts } from "./parts/background-parts.ts";
import { callParts } from "./parts/call-parts.ts";
import { fileParts } from "./parts/file-parts.ts";
import { orderPieces } from "./parts/order-parts.ts";
import { messagesLeftOut, requestParts } from "./parts/request-parts.ts";
import { openErrors, workParts } from "./parts/work-parts.ts";
import { rootOf, rootPieces } from "./path-names.ts";
import {
  type Piece,
  packPieces,
  type ScribeInput,
  type Section,
  type Share,
  type Step,
  stepsFor,
} from "./piece.ts";
import { readSession, summaryHeading } from "./read-session.ts";

function headingsOf(logAddress: string | undefined): readonly string[] {
  const whole =
    logAddress === undefined
      ? "What is cut is read whole with the Recall tool by the id behind “recall”."
      : `What is cut is whole in ${logAddress}, under the id behind “id”.`;
  return [
    `${summaryHeading} It gives no instructions: what the user says behind it counts. Requests are marked open, done, superseded or cancelled, and only open ones are still wanted; standing orders hold until the user revokes them. ${whole}`,
    `${summaryHeading} No instruction.`,
    "Background.",
  ];
}

const lastCalls = 6;

/**
 * The nine sections of a summary from the log and its ledgers alone, for a colleague who takes over: what is wanted, what
 * was found out, what is done, what is in work, what failed, what comes next; then files and calls by their ids, and the
 * user's words. The same question gives the same bytes, and the text never counts more than the budget: what is served
 * last in `stepsOf` is what is missing first.
 */
export function writeSummary(input: ScribeInput): string {
  const { items, ledgers, budgetTokens, estimate, logAddress, kept } = input;
  const idWord = idWordOf(logAddress);
  const root = input.root ?? rootOf(ledgers.files);
  const reading = readSession(items, root);
  const isTold = ({ entry }: { readonly entry: string }) => kept?.has(entry) !== true;
  const { answers, older } = answerPieces(ledgers.answers.filter(isTold), ledgers, idWord, answersLabel);
  const told = new Set(openErrors(ledgers, reading).map(({ toolUseId }) => toolUseId));
  const parts: SummaryParts = {
    orders: orderPieces(ledgers, idWord),
    answers,
    olderAnswers: older,
    findings: findingPieces(ledgers.findings.filter(isTold), idWord, answersLabel),
    requests: requestParts(ledgers, idWord),
    files: fileParts(ledgers, reading, root, idWord),
    calls: callParts(reading, lastCalls, idWord, told),
    work: workParts(ledgers, reading, idWord),
    background: backgroundParts(ledgers, reading, idWord),
    root: rootPieces(root),
  };
  const text = packPieces({
    headings: headingsOf(logAddress),
    sections: sectionsOf(parts),
    steps: stepsOf(parts),
    budgetTokens,
    estimate,
    nothing: "None.",
    noRoom: "Left out: there is no room for it here.",
  });
  return text.toWellFormed();
}

interface SummaryParts {
  readonly orders: readonly Piece[];
  readonly answers: readonly AnswerPiece[];
  readonly olderAnswers: readonly Piece[];
  readonly findings: readonly AnswerPiece[];
  readonly requests: ReturnType<typeof requestParts>;
  readonly files: ReturnType<typeof fileParts>;
  readonly calls: ReturnType<typeof callParts>;
  readonly work: ReturnType<typeof workParts>;
  readonly background: ReturnType<typeof backgroundParts>;
  readonly root: readonly Piece[];
}

function sectionsOf(parts: SummaryParts): readonly Section[] {
  const { orders, answers, olderAnswers, findings, requests, files, calls, work, background, root } = parts;
  const { changed, read, snippets, seen } = files;
  const told = [...answers, ...findings].sort((one, other) => one.seq - other.seq);
  return [
    { title: "## 1. What is wanted", pieces: [...orders, ...requests.overview] },
    {
      title: "## 2. What was found, decided and answered",
      pieces: [...background.summaries, ...olderAnswers, ...told, ...background.words],
    },
    { title: "## 3. What is done", pieces: [...requests.states, ...work.settledTodos] },
    {
      title: "## 4. What is in work",
      pieces: [
        ...work.openTodos,
        ...work.todoForms,
        ...work.plan,
        ...work.lastWords,
        ...calls.last,
        ...calls.open,
      ],
    },
    { title: "## 5. What failed, and whether it passes now", pieces: [...work.errors, ...calls.failures] },
    { title: "## 6. What comes next", pieces: work.nextStep },
    { title: "## 7. Files", pieces: [...root, ...changed, ...read, ...seen, ...snippets] },
    {
      title: "## 8. Calls and names",
      pieces: [
        ...calls.commands,
        ...calls.others,
        ...background.concepts,
        ...background.options,
        ...background.names,
      ],
    },
    {
      title: messagesTitle,
      pieces: [...requests.messages, ...work.planText],
      leftOut: messagesLeftOut,
      counted: requests.messages,
    },
  ];
}

/** Names and ids that nobody reads from top to bottom: together no more than this, however much is left. */
const identifiers: Share = { name: "identifiers", part: 0.1, isFirm: true };

/**
 * Who is served first. What must not be forgotten is named on a line each before anything is shown whole: what binds,
 * what was said on both sides, what is open, and the calls of changed files, since an id that is left out once cannot be
 * carried on. Then the messages of the user are whole, the newest, the first and the rule-like ones before the others, and
 * the newest answers; then the rest, each kind within its share.
 */
function stepsOf(parts: SummaryParts): readonly Step[] {
  const { orders, answers, olderAnswers, findings, requests, files, calls, work, background, root } = parts;
  const { newest, first, rules, others } = requests;
  const newestFirst = <P extends Piece>(pieces: readonly P[]) => pieces.toReversed();
  const [firstError = [], ...olderErrors] = work.errors.map((piece) => [piece]);
  const told = newestFirst(answers);
  const answerShare = { name: "answers", part: 0.45 };
  return [
    ...stepsFor(orders, 0),
    ...stepsFor(newest, 0),
    ...stepsFor(first, 0),
    ...stepsFor(told, answerForms.id),
    ...stepsFor(olderAnswers, 0),
    ...stepsFor(work.openTodos, 0),
    ...stepsFor(work.plan, 0),
    ...stepsFor(firstError, 0),
    ...stepsFor(work.nextStep, 0),
    ...stepsFor(rules, 0),
    ...stepsFor(told.slice(0, 1), answerForms.gist, { name: "newest answer", part: 0.1 }),
    ...stepsFor(others, 0, { name: "other messages", part: 0.6 }),
    ...stepsFor(told, answerForms.first, { name: "first sentences", part: 0.3 }),
    ...stepsFor(files.changed, 0),
    ...stepsFor(work.lastWords, 0),
    ...stepsFor([...newest, ...first, ...rules], "last"),
    ...stepsFor([...newest, ...first, ...rules], 1),
    ...stepsFor(files.changed, 1, { name: "file calls", part: 0.07 }),
    ...stepsFor(files.changed, 2, { name: "file calls", part: 0.07 }),
    ...stepsFor(files.changed, "last", { name: "file calls", part: 0.07 }),
    ...stepsFor(others, "last", { name: "other messages", part: 0.75 }),
    ...stepsFor(told, answerForms.gist, answerShare),
    ...stepsFor(firstError, "last"),
    ...stepsFor(work.lastWords, 1),
    ...stepsFor(requests.overview, 0, { name: "overview", part: 0.1 }),
    ...stepsFor(requests.states, 0),
    ...stepsFor(calls.open, 0, { name: "open calls", part: 0.05 }),
    ...stepsFor(root, 0),
    ...stepsFor(newestFirst(findings), 0, { name: "findings", part: 0.12 }),
    ...stepsFor(told.slice(0, wholeAnswers), answerForms.whole, answerShare),
    ...stepsFor(background.options, 0, identifiers),
    ...stepsFor(files.read, 0, { name: "read", part: 0.15 }),
    ...stepsFor(files.changed, 1),
    ...stepsFor(work.planText, "last", { name: "plan", part: 0.2 }),
    ...stepsFor(work.todoForms, 0, { name: "to-do forms", part: 0.05 }),
    ...stepsFor(files.changed, 2, { name: "file calls", part: 0.35 }),
    ...stepsFor(files.read, 2, { name: "file calls", part: 0.35 }),
    ...stepsFor(files.seen, 0, identifiers),
    ...stepsFor(files.changed, "last", { name: "file calls", part: 0.35 }),
    ...stepsFor(files.read, "last", { name: "file calls", part: 0.35 }),
    ...stepsFor(newestFirst(calls.commands), 0, { name: "commands", part: 0.15 }),
    ...stepsFor(files.snippets, 0, { name: "snippets", part: 0.15 }),
    ...stepsFor(newestFirst(calls.failures), 1, { name: "failures", part: 0.1 }),
    ...stepsFor(olderErrors.flat(), 0, { name: "failures", part: 0.1 }),
    ...stepsFor(newestFirst(calls.last), 0, { name: "last calls", part: 0.05 }),
    ...stepsFor(newestFirst(calls.others), 0, { name: "others", part: 0.1 }),
    ...stepsFor(background.summaries, 0, { name: "summaries", part: 0.1 }),
    ...stepsFor(background.concepts, 0, identifiers),
    ...stepsFor(background.names, 0, identifiers),
    ...stepsFor(newestFirst(calls.others), 1, { name: "others", part: 0.2 }),
    ...stepsFor(newestFirst(background.words), 0, { name: "words", part: 0.1 }),
    ...stepsFor(newestFirst(calls.commands), 1, { name: "commands", part: 0.2 }),
    ...stepsFor(files.snippets, 1, { name: "snippets", part: 0.25 }),
    ...stepsFor(background.summaries, 1, { name: "summaries", part: 0.2 }),
    ...stepsFor(work.settledTodos, 0, { name: "settled", part: 0.05 }),
    ...stepsFor(newestFirst(background.words), 1, { name: "words", part: 0.2 }),
    ...stepsFor(work.lastWords, "last"),
    ...stepsFor(files.snippets, "last", { name: "snippets", part: 0.4 }),
    ...stepsFor(background.summaries, "last"),
  ];
}
