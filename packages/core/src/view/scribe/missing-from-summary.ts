import type { AnswerRecord, Ledgers, UserMessageRecord } from "../../spec/index.ts";
import { quoteCode, quoteForeign, quoteWhole, shortId, showName } from "../quote-foreign.ts";
import { type IdWord, idWordOf } from "../read-back.ts";
import { firstSentence } from "../sentences.ts";
import {
  type AnswerPiece,
  type AnswerPieces,
  answerForms,
  answerPieces,
  answersLabel,
  findingPieces,
  isGistIn,
  isWorthALine,
  wholeAnswers,
} from "./answer-pieces.ts";
import { isChanged } from "./parts/file-parts.ts";
import { orderLine, ordersInForce, ordersLabel } from "./parts/order-parts.ts";
import { headAndTail, messagesLeftOut, stateMark } from "./parts/request-parts.ts";
import { errorHead, isOpen, maxErrorChars, stateOf, todoLine } from "./parts/work-parts.ts";
import { fenceText, type Piece, packPieces, type Section, type Share, type Step, stepsFor } from "./piece.ts";
import { isRuleLike } from "./read-session.ts";

/** The part of the window for user's messages before the others are a line each. */
export const userMessagesPart = 0.1;
/** The default part of the window for the whole appendix. */
export const appendixPart = 0.25;
const lineChars = 100;

export interface AppendixOptions {
  readonly windowTokens: number;
  readonly estimate: (text: string) => number;
  /** Whether a message stays in view word for word; absent: none does. */
  readonly isKept?: (seq: number) => boolean;
  /** What else stays in view; absent: nothing does. */
  readonly beside?: BesideSummary | undefined;
  /** The appendix never counts more than this. */
  readonly maxTokens?: number;
  /** Where the log is, for a model that has no tool to recall with. */
  readonly logAddress?: string | undefined;
}

/** What stays in view beside a summary: entries word for word, and texts that stand in the place of others. */
export interface BesideSummary {
  readonly entries: ReadonlySet<string>;
  readonly text: string;
}

export interface Appendix {
  /** Empty where the summary has everything. */
  readonly text: string;
  readonly tokens: number;
  /** Entries the summary did not have: user messages, orders, answers, paths, to-dos, the id of an error. */
  readonly missing: {
    readonly orders: readonly string[];
    readonly answers: readonly string[];
    readonly userMessages: readonly string[];
    readonly files: readonly string[];
    readonly todos: readonly string[];
    readonly hasPlan: boolean;
    readonly error?: string;
  };
}

const headings = [
  "Added from the session's ledgers, word for word, since the summary does not have it. Background, no instruction. What the user said is what the log has, whatever the summary ascribes to them.",
  "Background, from the ledgers.",
];

/**
 * Required content that a summary lacks: every standing order, every answer the assistant gave, every message of the
 * user's, every file written, every to-do that is open, the plan, the last unresolved error. Orders are
 * whole; of an answer that is not in view, the id and the first sentence, a third of it, or all, as there is room. The newest, the first and rule-like messages are whole; the
 * others too, until the messages' part of the window is full, and one line each from then on.
 */
export function missingFromSummary(summary: string, ledgers: Ledgers, options: AppendixOptions): Appendix {
  const {
    windowTokens,
    estimate,
    isKept = () => false,
    maxTokens = Math.floor(windowTokens * appendixPart),
  } = options;
  const idWord = idWordOf(options.logAddress);
  const said = missingAnswers(summary, ledgers, options, idWord);
  const orders = ordersInForce(ledgers).filter(({ text }) => !has(summary, text));
  const messages = missingMessages(summary, ledgers, isKept, idWord);
  const files = [...ledgers.files.values()].filter(
    (file) => isChanged(file) && !mentionsPath(summary, showName(file.path)),
  );
  const todos = ledgers.todos.filter(
    (todo) => isOpen(todo) && !includesText(summary, todo.content, quoteWhole(todo.content)),
  );
  const plan = ledgers.plan && !has(summary, ledgers.plan.text) ? [planPiece(ledgers)] : [];
  const error = ledgers.unresolvedErrors
    .slice(-1)
    .filter(({ text }) => !includesText(summary, text, quoteCode(text, maxErrorChars)));
  const missing = {
    orders: orders.map(({ entry }) => entry),
    answers: said.records.map(({ entry }) => entry),
    userMessages: messages.map(({ entry }) => entry),
    files: files.map(({ path }) => path),
    todos: todos.map(({ content }) => content),
    hasPlan: plan.length > 0,
    ...(error[0] && { error: error[0].toolUseId }),
  };
  const pieces = {
    orders: orders.map((order): Piece => ({ levels: [orderLine(order, idWord)] })),
    ...said.pieces,
    messages,
    files: files.map(
      ({ path, toolUseId }): Piece => ({ levels: [`- ${showName(path)} · ${idWord} ${shortId(toolUseId)}`] }),
    ),
    todos: todos.map((todo): Piece => ({ levels: [todoLine(todo)] })),
    plan,
    error: error.map((record): Piece => {
      const { toolUseId, tool, target, text } = record;
      const head = `- ${errorHead(tool, target)} · ${idWord} ${shortId(toolUseId)}:`;
      return {
        levels: [`${head} ${quoteForeign(text, lineChars)}`, `${head} ${quoteCode(text, maxErrorChars)}`],
      };
    }),
  };
  const sections = sectionsOf(pieces, ledgers);
  if (sections.every((section) => section.pieces.length === 0)) return { text: "", tokens: 0, missing };
  const text = packPieces({
    headings,
    sections,
    steps: stepsOf(pieces, (windowTokens * userMessagesPart) / maxTokens),
    budgetTokens: maxTokens,
    estimate,
    keepsShares: true,
  }).toWellFormed();
  return { text, tokens: estimate(text), missing };
}

type MessagePiece = Piece & { readonly entry: string; readonly isProtected: boolean };

interface AppendixPieces extends AnswerPieces {
  readonly orders: readonly Piece[];
  readonly findings: readonly AnswerPiece[];
  /** Whether the id of an answer is in view already. */
  readonly isNamed: (answer: Pick<AnswerRecord, "entry">) => boolean;
  readonly messages: readonly MessagePiece[];
  readonly files: readonly Piece[];
  readonly todos: readonly Piece[];
  readonly plan: readonly Piece[];
  readonly error: readonly Piece[];
}

/**
 * The least that an appendix takes which has what must never be lost: the standing orders, and the ids of the answers that
 * neither the summary nor what stays beside it names.
 */
export function leastAppendixTokens(
  summary: string,
  ledgers: Ledgers,
  { beside, estimate, logAddress }: Pick<AppendixOptions, "beside" | "estimate" | "logAddress">,
): number {
  const idWord = idWordOf(logAddress);
  const { pieces } = missingAnswers(summary, ledgers, { beside }, idWord);
  const lines = [
    ...ordersInForce(ledgers)
      .filter(({ text }) => !has(summary, text))
      .map((order) => orderLine(order, idWord)),
    ...pieces.answers.filter((answer) => !pieces.isNamed(answer)).map(({ levels }) => levels[0] ?? ""),
    ...pieces.older.map(({ levels }) => levels[0] ?? ""),
  ];
  if (lines.length === 0) return 0;
  const titles = [headings[1] ?? "", ordersLabel, answersLabel].join("\n\n");
  return lines.reduce((sum, line) => sum + estimate(`${line}\n`), 2 * estimate(titles));
}

const maxFirstChars = 4_000;

/** The answers that neither the summary nor what stays beside it has so much of as must be there; and findings. */
function missingAnswers(
  summary: string,
  ledgers: Ledgers,
  { beside }: Pick<AppendixOptions, "beside">,
  idWord: IdWord,
): {
  readonly records: readonly AnswerRecord[];
  readonly pieces: AnswerPieces & Pick<AppendixPieces, "findings" | "isNamed">;
} {
  const text = `${summary}\n${beside?.text ?? ""}`;
  const isKept = ({ entry }: { readonly entry: string }) => beside?.entries.has(entry) === true;
  const isNamed = ({ entry }: { readonly entry: string }) => mentionsId(text, shortId(entry));
  const isFound = (answer: AnswerRecord) =>
    isNamed(answer) || text.includes(firstSentence(answer.text, maxFirstChars));
  const records = ledgers.answers.filter(
    (answer) => isWorthALine(answer) && !isKept(answer) && !(isFound(answer) && isGistIn(text, answer)),
  );
  const findings = ledgers.findings.filter(
    (finding) =>
      !isKept(finding) && !text.includes(finding.text) && !mentionsId(text, shortId(finding.entry)),
  );
  return {
    records,
    pieces: {
      ...answerPieces(records, ledgers, idWord),
      findings: findingPieces(findings, idWord),
      isNamed,
    },
  };
}

/** Oldest first; of those with the same words only the newest. */
function missingMessages(
  summary: string,
  ledgers: Ledgers,
  isKept: (seq: number) => boolean,
  idWord: IdWord,
) {
  const { userMessages } = ledgers;
  const newest = new Map(userMessages.map(({ text }, at) => [text, at]));
  return userMessages.flatMap((message, at): readonly MessagePiece[] => {
    const { seq, text, entry } = message;
    if (newest.get(text) !== at || isKept(seq) || has(summary, text)) return [];
    const isProtected = at === 0 || at === userMessages.length - 1 || isRuleLike(text);
    return [{ entry, isProtected, levels: messageLevels(message, stateMark(ledgers, at), summary, idWord) }];
  });
}

/** A line that the summary has already is not said again. */
function messageLevels(
  { entry, text }: UserMessageRecord,
  state: string,
  summary: string,
  idWord: IdWord,
): readonly string[] {
  const whole = `[${state} · ${idWord} ${shortId(entry)}] ${text}`;
  const line = `[${state} · ${idWord} ${shortId(entry)}] ${headAndTail(text)}`;
  return whole.length <= line.length || mentionsId(summary, shortId(entry)) ? [whole] : [line, whole];
}

function planPiece(ledgers: Ledgers): Piece {
  const { plan, planRequest } = ledgers;
  const state = stateOf(ledgers, planRequest);
  const path = plan?.path === undefined ? "" : ` · in ${showName(plan.path)}`;
  const recall = planRequest === undefined ? "" : ` · asked for in ${shortId(planRequest)}`;
  const head = `[${state}${path}${recall}]`;
  const line = `${head} ${quoteForeign(plan?.text ?? "", lineChars)}`;
  return {
    levels:
      state === "open" || state === "done"
        ? [line, `${head}\n${fenceText(plan?.text ?? "")}`]
        : [`${line} Not to be followed.`],
  };
}

function sectionsOf(pieces: AppendixPieces, ledgers: Ledgers): readonly Section[] {
  const todosState = stateOf(ledgers, ledgers.todosRequest);
  return [
    { title: ordersLabel, pieces: pieces.orders },
    { title: "User messages, oldest first:", pieces: pieces.messages, leftOut: messagesLeftOut },
    { title: answersLabel, pieces: toldPieces(pieces) },
    { title: "Files written:", pieces: pieces.files },
    {
      title: todosState === "open" ? "Open to-dos:" : `To-dos left open, of a request that is ${todosState}:`,
      pieces: pieces.todos,
    },
    { title: "Plan:", pieces: pieces.plan },
    { title: "Last unresolved error:", pieces: pieces.error },
  ];
}

/**
 * Lines before anything whole, so that whatever the budget is, as much as can be is at least named. What the user's
 * messages take counts for their part, but the lines and those that must be whole are not held up by it.
 */
function stepsOf(pieces: AppendixPieces, part: number): readonly Step[] {
  const { orders, answers, older, findings, isNamed, messages, files, todos, plan, error } = pieces;
  const share: Share = { name: "user messages", part };
  const counted: Share = { ...share, part: Number.POSITIVE_INFINITY };
  const newestFirst = messages.toReversed();
  const kept = newestFirst.filter(({ isProtected }) => isProtected);
  const others = newestFirst.filter(({ isProtected }) => !isProtected);
  const withLine = (some: readonly Piece[]) => some.filter(({ levels }) => levels.length > 1);
  const told = answers.toReversed();
  const unnamed = told.filter((answer) => !isNamed(answer));
  return [
    ...stepsFor(orders, 0),
    ...stepsFor([...unnamed, ...older], answerForms.id),
    ...stepsFor([...error, ...todos, ...plan], 0),
    ...stepsFor(files, 0),
    ...stepsFor(withLine(kept), 0, counted),
    ...stepsFor(unnamed, answerForms.first, { name: "first sentences", part: firstSentencesPart }),
    ...stepsFor(kept, "last", counted),
    ...stepsFor(error, "last"),
    ...stepsFor(withLine(others), 0, counted),
    ...stepsFor(told, answerForms.gist, { name: "answers", part: answersPart }),
    ...stepsFor(told.slice(0, wholeAnswers), answerForms.whole, { name: "answers", part: answersPart }),
    ...stepsFor(plan, "last"),
    ...stepsFor(others, "last", share),
    ...stepsFor(findings.toReversed(), 0, { name: "findings", part: findingsPart }),
  ];
}

/** Of the appendix, for the first sentences of answers, and for answers altogether; and for what was found on the way. */
const firstSentencesPart = 0.4;
const answersPart = 0.75;
const findingsPart = 0.15;

/** In the order in which they were said; what is older is only named. */
function toldPieces({ answers, older, findings }: AppendixPieces): readonly Piece[] {
  return [...older, ...[...answers, ...findings].sort((one, other) => one.seq - other.seq)];
}

/** As it is, or as texts of ours quote it. */
function includesText(summary: string, text: string, quote: string): boolean {
  return has(summary, text) || summary.includes(quote);
}

/** Well-formed, as everything that is written. */
function has(summary: string, text: string): boolean {
  return summary.includes(text.toWellFormed());
}

/** Whether a text has a path as it is, and not as a part of a longer one. */
export function mentionsPath(text: string, path: string): boolean {
  for (let at = text.indexOf(path); at !== -1; at = text.indexOf(path, at + 1)) {
    const before = text[at - 1] ?? " ";
    const after = text.slice(at + path.length, at + path.length + 2);
    if (!/[\w/.@+-]/.test(before) && !/^(?:[\w/@+-]|\.\w)/.test(after)) return true;
  }
  return false;
}

/** Whether a text offers to give back what has this id. */
export function mentionsId(text: string, id: string): boolean {
  for (let at = text.indexOf(id); at !== -1; at = text.indexOf(id, at + 1)) {
    const around = `${text[at - 1] ?? " "}${text[at + id.length] ?? " "}`;
    if (!/[\w-]/.test(around)) return true;
  }
  return false;
}
