import type { Ledgers, UserMessageRecord } from "../../spec/index.ts";
import { quoteCode, quoteForeign, quoteWhole, shortId, showName } from "../quote-foreign.ts";
import { type IdWord, idWordOf } from "../read-back.ts";
import { isChanged } from "./parts/file-parts.ts";
import { errorHead, isOpen, maxErrorChars, stateOf, todoLine } from "./parts/work-parts.ts";
import {
  fenceText,
  oneLine,
  type Piece,
  packPieces,
  type Section,
  type Share,
  type Step,
  stepsFor,
} from "./piece.ts";
import { isRuleLike } from "./read-session.ts";

/** The part of the window for user's messages before the others are a line each. */
export const userMessagesPart = 0.1;
/** The default part of the window for the whole appendix. */
export const appendixPart = 0.25;
const lineChars = 100;

export interface AppendixOptions {
  readonly windowTokens: number;
  readonly estimate: (text: string) => number;
  /**
   * The boundary: of the user's messages up to this sequence number only those are looked at that must never be lost, the
   * first, the newest, rule-like ones and those that are still open.
   */
  readonly sinceSeq?: number;
  /** Whether a message stays in view word for word; absent: none does. */
  readonly isKept?: (seq: number) => boolean;
  /** The appendix never counts more than this. */
  readonly maxTokens?: number;
  /** Where the log is, for a model that has no tool to recall with. */
  readonly logAddress?: string | undefined;
}

export interface Appendix {
  /** Empty where the summary has everything. */
  readonly text: string;
  readonly tokens: number;
  /** Entries the summary did not have: user messages, paths, to-dos, the id of an error. */
  readonly missing: {
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
 * Required content that a summary lacks: every message of the user's since the boundary, every file written, every
 * to-do that is open, the plan, the last unresolved error. The newest, the first and rule-like messages are whole; the
 * others too, until the messages' part of the window is full, and one line each from then on.
 */
export function missingFromSummary(summary: string, ledgers: Ledgers, options: AppendixOptions): Appendix {
  const {
    windowTokens,
    estimate,
    sinceSeq = 0,
    isKept = () => false,
    maxTokens = Math.floor(windowTokens * appendixPart),
  } = options;
  const idWord = idWordOf(options.logAddress);
  const messages = missingMessages(summary, ledgers, sinceSeq, isKept, idWord);
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
    userMessages: messages.map(({ entry }) => entry),
    files: files.map(({ path }) => path),
    todos: todos.map(({ content }) => content),
    hasPlan: plan.length > 0,
    ...(error[0] && { error: error[0].toolUseId }),
  };
  const pieces = {
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

interface AppendixPieces {
  readonly messages: readonly MessagePiece[];
  readonly files: readonly Piece[];
  readonly todos: readonly Piece[];
  readonly plan: readonly Piece[];
  readonly error: readonly Piece[];
}

/** Oldest first; of those with the same words only the newest. */
function missingMessages(
  summary: string,
  { userMessages, intents }: Ledgers,
  sinceSeq: number,
  isKept: (seq: number) => boolean,
  idWord: IdWord,
) {
  const newest = new Map(userMessages.map(({ text }, at) => [text, at]));
  return userMessages.flatMap((message, at): readonly MessagePiece[] => {
    const { seq, text, entry } = message;
    if (newest.get(text) !== at || isKept(seq) || has(summary, text)) return [];
    const state = intents[at]?.state ?? "open";
    const isProtected = at === 0 || at === userMessages.length - 1 || isRuleLike(text);
    if (seq <= sinceSeq && !isProtected && state !== "open") return [];
    return [{ entry, isProtected, levels: messageLevels(message, state, summary, idWord) }];
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
  const line = `[${state} · ${idWord} ${shortId(entry)}] ${oneLine(text, lineChars)}`;
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
    { title: "User messages, oldest first:", pieces: pieces.messages },
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
function stepsOf({ messages, files, todos, plan, error }: AppendixPieces, part: number): readonly Step[] {
  const share: Share = { name: "user messages", part };
  const counted: Share = { ...share, part: Number.POSITIVE_INFINITY };
  const newestFirst = messages.toReversed();
  const kept = newestFirst.filter(({ isProtected }) => isProtected);
  const others = newestFirst.filter(({ isProtected }) => !isProtected);
  const withLine = (pieces: readonly Piece[]) => pieces.filter(({ levels }) => levels.length > 1);
  return [
    ...stepsFor([...error, ...todos, ...plan, ...files], 0),
    ...stepsFor(withLine(kept), 0, counted),
    ...stepsFor(kept, "last", counted),
    ...stepsFor(error, "last"),
    ...stepsFor(withLine(others), 0, counted),
    ...stepsFor(plan, "last"),
    ...stepsFor(others, "last", share),
  ];
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
