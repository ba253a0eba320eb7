import type { AnswerRecord, FindingRecord, Ledgers } from "../../spec/index.ts";
import { findingLines } from "../ledgers/finding-lines.ts";
import { breakOwnFrames, quoteAnswerLines, quoteForeign, shortId } from "../quote-foreign.ts";
import type { IdWord } from "../read-back.ts";
import { firstSentence, sentencesOf } from "../sentences.ts";
import type { Piece } from "./piece.ts";

/** Shorter answers say that something is done, which the state of the request says too. */
const minAnswerWidth = 30;
/** A character of these scripts says as much as so many letters. */
const wideScripts = /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/gu;
const wideLetters = 3;
const firstChars = 240;
/** Sentences that say something: what is counted where a part of an answer is to stay. */
const minSentenceChars = 30;
const keptPart = 1 / 3;
/** Of older answers than these only the ids are named, so many on a line. */
const maxNamed = 80;
const idsPerLine = 20;

/** So many of the newest answers are shown whole; older ones by a third of their sentences. */
export const wholeAnswers = 3;

/** An answer in four forms: its id, its first sentence, a third of its sentences, the whole. */
export const answerForms = { id: 0, first: 1, gist: 2, whole: 3 } as const;

export interface AnswerPiece extends Piece {
  readonly entry: string;
  readonly seq: number;
}

export interface AnswerPieces {
  /** The answers that are worth a line, oldest first. */
  readonly answers: readonly AnswerPiece[];
  /** The ids of those that are older still. */
  readonly older: readonly Piece[];
}

/** Stands once before them, where other things stand beside them. */
export const answersLabel = "What the assistant answered and found out, oldest first:";

export function isWorthALine({ text }: Pick<AnswerRecord, "text">): boolean {
  const begin = text.trim().slice(0, minAnswerWidth);
  const wide = begin.match(wideScripts)?.length ?? 0;
  return begin.length + wide * (wideLetters - 1) >= minAnswerWidth;
}

export function answerPieces(
  answers: readonly AnswerRecord[],
  { userMessages }: Pick<Ledgers, "userMessages">,
  idWord: IdWord,
  label?: string,
): AnswerPieces {
  const worth = answers.filter(isWorthALine);
  const older = worth.slice(0, -maxNamed);
  return {
    answers: worth.slice(-maxNamed).map((answer) => answerPiece(answer, userMessages, idWord, label)),
    older: Array.from({ length: Math.ceil(older.length / idsPerLine) }, (_none, line) => {
      const ids = older.slice(line * idsPerLine, (line + 1) * idsPerLine).map(({ entry }) => shortId(entry));
      return { levels: [`- Older answers · ${idWord} ${ids.join(", ")}`] };
    }),
  };
}

function answerPiece(
  answer: AnswerRecord,
  messages: Ledgers["userMessages"],
  idWord: IdWord,
  label: string | undefined,
): AnswerPiece {
  const { entry, seq, text } = answer;
  const to = messages.findLastIndex((message) => message.seq < seq);
  const head = `- ${to === -1 ? "Answer" : `To message ${to + 1}`} · ${idWord} ${shortId(entry)}`;
  const whole = quoteAnswerLines(text.split("\n"), maxLineChars);
  const gist = quoteAnswerLines(gistOf(text), maxLineChars);
  const forms = [
    head,
    `${head}: ${quoteForeign(firstSentence(text, firstChars), firstChars)}`,
    gist.length >= whole.length * nearlyWhole ? `${head}:\n${whole}` : `${head}, in part:\n${gist}`,
    `${head}:\n${whole}`,
  ];
  return { entry, seq, levels: forms, ...(label !== undefined && { label }) };
}

const maxLineChars = 2_000;
/** So much of an answer left, the rest costs less than the gaps. */
const nearlyWhole = 0.75;

/** A source, and nothing said of it; a line between the rows of a table. */
const linkOnly = /^\s*(?:[-*•]|\d+[.)])?\s*(?:\[[^\]]*\]\([^)]*\)|<?https?:\/\/\S+)\s*[.,;]?\s*$/;
const ruled = /^\s*\|?[\s|:-]+\|?\s*$/;

interface Paragraph {
  readonly isFinding: boolean;
  /** A point of a list, or a row of a table. */
  readonly isPoint: boolean;
  /** Code, a source of which nothing is said, what rules a table: only where nothing else is left. */
  readonly isAside: boolean;
  readonly sentences: readonly string[];
}

function paragraphsOf(text: string): readonly Paragraph[] {
  const findings = new Set(findingLines(text));
  let isCode = false;
  return text.split(/\n+/).flatMap((line) => {
    if (/^\s*(?:```|~~~)/.test(line)) {
      isCode = !isCode;
      return [];
    }
    return {
      isFinding: findings.has(line.trim()),
      isPoint: listPoint.test(line),
      isAside: isCode || linkOnly.test(line) || ruled.test(line),
      sentences: sentencesOf(line),
    };
  });
}

/**
 * A third of the sentences of an answer, word for word and in their order, those of a paragraph on one line: every line
 * that states a decision or a finding, how it begins and how it ends, then the first sentence of each paragraph, points of
 * lists behind them, code last.
 */
export function gistOf(text: string): readonly string[] {
  const paragraphs = paragraphsOf(text);
  const told = paragraphs.filter(({ isAside }) => !isAside);
  const all = told.flatMap(({ sentences }) => sentences);
  const isTelling = (sentence: string) => sentence.length >= minSentenceChars;
  const telling = all.filter(isTelling);
  const every = paragraphs.flatMap(({ sentences }) => sentences).filter(isTelling);
  const wanted = Math.ceil(every.length * keptPart) + 1;
  const kept = new Set(told.flatMap(({ isFinding, sentences }) => (isFinding ? sentences : [])));
  const take = (sentences: readonly string[]) => {
    for (const sentence of sentences) if ([...kept].filter(isTelling).length < wanted) kept.add(sentence);
  };
  const inRank = (rank: number, isPoint: boolean) =>
    told.flatMap((one) =>
      one.isPoint === isPoint ? one.sentences.filter(isTelling).slice(rank, rank + 1) : [],
    );
  const ending = telling.filter((sentence) => !/[?？]\W*$/u.test(sentence)).slice(-1);
  if (all[0] !== undefined) kept.add(all[0]);
  for (const sentences of [
    telling.slice(0, 2),
    ending,
    inRank(0, false),
    inRank(0, true),
    inRank(1, false),
    telling,
    every,
  ])
    take(sentences);
  return paragraphs.flatMap(({ sentences }) => joinGaps(sentences, kept));
}

const listPoint = /^\s*(?:[-*•+]|\d{1,3}[.)]|\|)\s/;

/** The kept sentences of a paragraph on a line, with a sign where one between them is left out. */
function joinGaps(sentences: readonly string[], kept: ReadonlySet<string>): readonly string[] {
  const parts: string[] = [];
  for (const [at, sentence] of sentences.entries()) {
    const before = sentences[at - 1] ?? "";
    if (!kept.has(sentence) || listNumber.test(sentence)) continue;
    const isBehindGap = parts.length > 0 && !kept.has(before);
    const number = listNumber.test(before) ? `${before} ` : "";
    parts.push(isBehindGap ? `… ${sentence}` : `${number}${sentence}`);
  }
  return parts.length === 0 ? [] : [parts.join(" ")];
}

const listNumber = /^\d{1,3}[.)]$/;

/** Whether so much of an answer stands in a text word for word that nothing need be added. */
export function isGistIn(text: string, answer: AnswerRecord): boolean {
  const whole = quoteAnswerLines(answer.text.split("\n"), maxLineChars).toWellFormed();
  if (!isWorthALine(answer) || text.includes(whole)) return true;
  const telling = sentencesOf(answer.text).filter((sentence) => sentence.length >= minSentenceChars);
  const isIn = (sentence: string) => text.includes(sentence) || text.includes(breakOwnFrames(sentence));
  return telling.length > 0 && telling.filter(isIn).length >= telling.length * keptPart;
}

const findingChars = 400;

/** What was found out on the way, oldest first: a line each, and the user's short replies with what was asked. */
export function findingPieces(
  findings: readonly FindingRecord[],
  idWord: IdWord,
  label?: string,
): readonly AnswerPiece[] {
  return findings.map(({ entry, seq, text, question }) => {
    const end = ` · ${idWord} ${shortId(entry)}`;
    const said =
      question === undefined
        ? `- On the way: ${quoteForeign(text, findingChars)}`
        : `- The user replied ${quoteForeign(text, findingChars)} to ${quoteForeign(question, findingChars)}`;
    return { entry, seq, levels: [`${said}${end}`], ...(label !== undefined && { label }) };
  });
}
