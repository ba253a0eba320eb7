import { idWordOf } from "../read-back.ts";
import { backgroundParts } from "./parts/background-parts.ts";
import { callParts } from "./parts/call-parts.ts";
import { fileParts } from "./parts/file-parts.ts";
import { requestParts } from "./parts/request-parts.ts";
import { workParts } from "./parts/work-parts.ts";
import { rootOf, rootPieces } from "./path-names.ts";
import { type Piece, packPieces, type ScribeInput, type Section, type Step, stepsFor } from "./piece.ts";
import { readSession, summaryHeading } from "./read-session.ts";

function headingsOf(logAddress: string | undefined): readonly string[] {
  const whole =
    logAddress === undefined
      ? "What is cut is read whole with the Recall tool by the id behind “recall”."
      : `What is cut is whole in ${logAddress}, under the id behind “id”.`;
  return [
    `${summaryHeading} It gives no instructions: what the user says behind it counts. Requests are marked open, done, superseded or cancelled, and only open ones are still wanted. ${whole}`,
    `${summaryHeading} No instruction.`,
    "Background.",
  ];
}

const lastCalls = 6;

/**
 * The nine sections of a summary from the log and its ledgers alone. The same question gives the same bytes, and the
 * text never counts more than the budget: what is served last in `stepsOf` is what is missing first.
 */
export function writeSummary(input: ScribeInput): string {
  const { items, ledgers, budgetTokens, estimate, logAddress } = input;
  const idWord = idWordOf(logAddress);
  const root = input.root ?? rootOf(ledgers.files);
  const reading = readSession(items, root);
  const parts: SummaryParts = {
    requests: requestParts(ledgers, idWord),
    files: fileParts(ledgers, reading, root, idWord),
    calls: callParts(reading, lastCalls, idWord),
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
  });
  return text.toWellFormed();
}

interface SummaryParts {
  readonly requests: ReturnType<typeof requestParts>;
  readonly files: ReturnType<typeof fileParts>;
  readonly calls: ReturnType<typeof callParts>;
  readonly work: ReturnType<typeof workParts>;
  readonly background: ReturnType<typeof backgroundParts>;
  readonly root: readonly Piece[];
}

function sectionsOf({ requests, files, calls, work, background, root }: SummaryParts): readonly Section[] {
  const { changed, read, snippets, seen } = files;
  return [
    { title: "## 1. Primary request and intent", pieces: requests.overview },
    {
      title: "## 2. Key technical concepts",
      pieces: [...background.concepts, ...background.options, ...background.names],
    },
    { title: "## 3. Files and code", pieces: [...root, ...changed, ...read, ...seen, ...snippets] },
    { title: "## 4. Errors and fixes", pieces: [...work.errors, ...calls.failures] },
    {
      title: "## 5. Problem solving",
      pieces: [...background.summaries, ...background.words, ...calls.commands, ...calls.others],
    },
    { title: "## 6. All user messages", pieces: requests.messages },
    {
      title: "## 7. Pending tasks",
      pieces: [...work.openTodos, ...work.settledTodos, ...work.todoForms, ...work.plan],
    },
    { title: "## 8. Current work", pieces: [...work.lastWords, ...calls.last, ...calls.open] },
    { title: "## 9. Optional next step", pieces: work.nextStep },
  ];
}

/**
 * Who is served first. Before anything is shown whole, what must not be forgotten is named on a line each; then the
 * newest, the first and the rule-like messages of the user are whole, and the calls of changed files named, since an id
 * that is left out once cannot be carried on; then the rest, each kind within its share.
 */
function stepsOf({ requests, files, calls, work, background, root }: SummaryParts): readonly Step[] {
  const { newest, first, rules, others } = requests;
  const newestFirst = (pieces: readonly Piece[]) => pieces.toReversed();
  const [firstError = [], ...olderErrors] = work.errors.map((piece) => [piece]);
  return [
    ...stepsFor(newest, 0),
    ...stepsFor(first, 0),
    ...stepsFor(work.openTodos, 0),
    ...stepsFor(work.plan, 0),
    ...stepsFor(firstError, 0),
    ...stepsFor(work.nextStep, 0),
    ...stepsFor(rules, 0),
    ...stepsFor(files.changed, 0),
    ...stepsFor(work.lastWords, 0),
    ...stepsFor([...newest, ...first, ...rules], "last"),
    ...stepsFor([...newest, ...first, ...rules], 1),
    ...stepsFor(others, 0, { name: "other messages", part: 0.6 }),
    ...stepsFor(files.changed, 1, { name: "file calls", part: 0.07 }),
    ...stepsFor(files.changed, 2, { name: "file calls", part: 0.07 }),
    ...stepsFor(files.changed, "last", { name: "file calls", part: 0.07 }),
    ...stepsFor(others, "last", { name: "other messages", part: 0.6 }),
    ...stepsFor(firstError, "last"),
    ...stepsFor(work.lastWords, 1),
    ...stepsFor(requests.overview, 0, { name: "overview", part: 0.1 }),
    ...stepsFor(calls.open, 0, { name: "open calls", part: 0.05 }),
    ...stepsFor(root, 0),
    ...stepsFor(background.options, 0, { name: "options", part: 0.05 }),
    ...stepsFor(files.read, 0, { name: "read", part: 0.15 }),
    ...stepsFor(files.changed, 1),
    ...stepsFor(work.plan, "last", { name: "plan", part: 0.2 }),
    ...stepsFor(work.todoForms, 0, { name: "to-do forms", part: 0.05 }),
    ...stepsFor(files.changed, 2, { name: "file calls", part: 0.35 }),
    ...stepsFor(files.read, 2, { name: "file calls", part: 0.35 }),
    ...stepsFor(files.seen, 0, { name: "seen", part: 0.15 }),
    ...stepsFor(files.changed, "last", { name: "file calls", part: 0.35 }),
    ...stepsFor(files.read, "last", { name: "file calls", part: 0.35 }),
    ...stepsFor(newestFirst(calls.commands), 0, { name: "commands", part: 0.15 }),
    ...stepsFor(files.snippets, 0, { name: "snippets", part: 0.15 }),
    ...stepsFor(newestFirst(calls.failures), 1, { name: "failures", part: 0.1 }),
    ...stepsFor(olderErrors.flat(), 0, { name: "failures", part: 0.1 }),
    ...stepsFor(newestFirst(calls.last), 0, { name: "last calls", part: 0.05 }),
    ...stepsFor(newestFirst(calls.others), 0, { name: "others", part: 0.1 }),
    ...stepsFor(background.summaries, 0, { name: "summaries", part: 0.1 }),
    ...stepsFor(background.concepts, 0, { name: "concepts", part: 0.05 }),
    ...stepsFor(background.names, 0, { name: "names", part: 0.15 }),
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
