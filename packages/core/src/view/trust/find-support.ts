import type { Memory, UserMessageRecord } from "../../spec/index.ts";
import { escapeDelimiters, toAttribute } from "./delimiters.ts";
import { foldText } from "./fold-text.ts";
import { type Trust, withoutRecalled } from "./locations.ts";

/** So much of what a memory says the user must have said. */
export const minSupport = 0.5;

/** One word in common is chance, unless it is all there is. */
const minCommonWords = 2;

const negations =
  /\b(?:not|no|never|none|don'?t|doesn'?t|won'?t|can'?t|cannot|shouldn'?t|isn'?t|aren'?t|without|avoid|stop|hate|dislike)\b/;
const contrasts = /\b(?:prefer\w*|rather|instead|over|than|but)\b/;

/**
 * The user's message that supports a statement, the newest where several do: it has most of the statement's words, and
 * does not say the opposite. `null` where none does.
 */
export function findSupport(
  statement: string,
  messages: readonly UserMessageRecord[],
): UserMessageRecord | null {
  const words = contentWords(statement);
  if (words.size === 0) return null;
  return messages.findLast(({ text }) => supports(withoutRecalled(text), words, statement)) ?? null;
}

function supports(text: string, words: ReadonlySet<string>, statement: string): boolean {
  const common = [...contentWords(text)].filter((word) => words.has(word)).length;
  if (common / words.size < minSupport || common < Math.min(minCommonWords, words.size)) return false;
  const clauses = text.split(/[.,;:!?\n]|\b(?:and|but)\b/).filter((clause) => {
    const inClause = contentWords(clause);
    return [...words].some((word) => inClause.has(word));
  });
  return saysTheSame(clauses.join(", "), statement);
}

/** Words tell what it is about; this tells yes from no. A contrast ("a rather than b") may be either. */
function saysTheSame(said: string, statement: string): boolean {
  const [one, other] = [foldText(said), foldText(statement)];
  if (contrasts.test(one) || contrasts.test(other)) return true;
  return negations.test(one) === negations.test(other);
}

const stopWords: ReadonlySet<string> = new Set(
  `a about above after again all also always am an and any are as at be because been before being below between both but
  by can could did do does doing done down during each few for from further get go got had has have having he her here
  him his how i if in into is it its just keep let like make me more most must my need new no nor not now of off on once
  one only or other our out over own please prefer preference remember say same see set she should so some such than thanks
  that the their them then there these they thing this those through to too under until up us use used user uses using
  very want was way we well were what when where which while who why will with work would yes you your never dont avoid
  stop without rather instead hate dislike`.split(/\s+/),
);
const ideographs = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/u;

/** The words of a text that carry its meaning, folded and cut to their stems; pairs of signs where words are not parted. */
function contentWords(text: string): ReadonlySet<string> {
  const words =
    foldText(text)
      .replaceAll("'", "")
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(words.flatMap(wordParts));
}

function wordParts(word: string): readonly string[] {
  if (ideographs.test(word)) {
    const signs = [...word];
    return signs.length < 2 ? signs : signs.slice(1).map((sign, index) => `${signs[index]}${sign}`);
  }
  return stopWords.has(word) || (word.length === 1 && !/\p{N}/u.test(word)) ? [] : [stem(word)];
}

/** Rough on purpose: two forms of one word must meet, and nothing is ever shown in this form. */
function stem(word: string): string {
  if (word.length <= 4 || /\p{N}/u.test(word)) return word.replace(/(?<=[a-z]{3})s$/, "");
  return word.replace(/(?:ies|ing|ed|es|s|ly|e|y)$/, "");
}

/**
 * A memory as the model sees it: data between delimiters, with where it came from. It is attached to the conversation and
 * never part of the system prompt. Nothing in it can end it early, or say of it what is not so.
 */
export function renderMemory(memory: Memory): string {
  const { path, name, type, author, trust, isConfirmed, session, version, at, description, body } = memory;
  const provenance: Readonly<Record<string, string | undefined>> = {
    path,
    name,
    type,
    author,
    trust,
    confirmed: isConfirmed ? "yes" : "no",
    session,
    version: String(version),
    at,
  };
  const attributes = Object.entries(provenance).flatMap(([key, value]) =>
    value === undefined ? [] : `${key}="${toAttribute(value)}"`,
  );
  const says = [description, body].map((text) => text.trim()).filter((text) => text !== "");
  return `<memory ${attributes.join(" ")}>\n${escapeDelimiters(says.join("\n\n")).trim()}\n</memory>`;
}

const heads = /<memory ([^<>]*)>/g;

/** The trust of rendered memories: trusted where all of them are, or a person has confirmed them. */
export function recalledTrust(text: string): Trust {
  const found = [...text.matchAll(heads)].map(([, attributes = ""]) => attributes);
  const isTrusted = (attributes: string) => / (?:trust="trusted"|confirmed="yes")(?: |$)/.test(attributes);
  return found.length > 0 && found.every(isTrusted) ? "trusted" : "untrusted";
}

/** The index of memories in the same dress: untrusted as soon as one of the memories it lists is. */
export function renderMemoryIndex(text: string, trust: Trust): string {
  return `<memory path="MEMORY.md" type="index" trust="${trust}">\n${escapeDelimiters(text).trim()}\n</memory>`;
}
