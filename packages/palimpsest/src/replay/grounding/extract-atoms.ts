import type { ToolUseBlock } from "@palimpsest/core/spec";
import { stringsOf } from "./recorded-blocks.ts";

export const atomTypes = ["edit_old", "path", "ident", "num", "url", "quote"] as const;
export type AtomType = (typeof atomTypes)[number];

/** A piece of text that a call could not have been made without, unless it was made up. */
export interface Atom {
  readonly type: AtomType;
  readonly text: string;
}

const minEditChars = 12;
const minQuoteChars = 24;
const urlPattern = /https?:\/\/[^\s"'`<>)\]}]+/g;
const pathPattern = /[\w.@~+-]*(?:\/[\w.@+-]+)+/g;
const wordPattern = /[A-Za-z_][A-Za-z0-9_]{5,}/g;
/** A version may have a `v` before it, which is no part of it. */
const numberPattern = /(?:\b|(?<=\bv))(?:[0-9a-f]{7,64}|\d+(?:\.\d+)+|\d{3,})\b/g;

/** The words of a text that can be atoms, by type: what is looked up, in calls as in blocks. */
export function wordsOf(text: string): readonly Atom[] {
  const urls = matches(text, urlPattern).map((url) => atom("url", url.replace(/[.,;:]+$/, "")));
  const rest = text.replace(urlPattern, " ");
  const paths = matches(rest, pathPattern).filter((path) => path.length >= 6 && /[A-Za-z]/.test(path));
  const identifiers = matches(rest, wordPattern).filter(isMixed);
  const numbers = matches(rest, numberPattern).filter(isTelling);
  return [
    ...urls,
    ...paths.map((path) => atom("path", path.replace(/[.]+$/, ""))),
    ...identifiers.map((word) => atom("ident", word)),
    ...numbers.map((number) => atom("num", number)),
  ];
}

/** The lines of a text that are long enough to be quotes. */
export function quotesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line.length >= minQuoteChars);
}

/** The atoms a call needs, each once. */
export function extractAtoms({ input }: Pick<ToolUseBlock, "input">): readonly Atom[] {
  const replaced = replacedTexts(input);
  const texts = stringsOf(input);
  const old = new Set(replaced);
  const atoms = [
    ...replaced.filter((text) => text.length >= minEditChars).map((text) => atom("edit_old", text)),
    ...texts.flatMap(wordsOf),
    ...texts
      .filter((text) => !old.has(text))
      .flatMap((text) => quotesOf(text).map((line) => atom("quote", line))),
  ];
  return [...new Map(atoms.map((one) => [`${one.type} ${one.text}`, one])).values()];
}

function atom(type: AtomType, text: string): Atom {
  return { type, text };
}

/** The texts an edit replaces: `old_string`, also in the list of a multiple edit. */
function replacedTexts(input: unknown): readonly string[] {
  if (typeof input !== "object" || input === null) return [];
  const { old_string, oldText, edits } = input as Readonly<Record<string, unknown>>;
  const own = [old_string, oldText].filter((text): text is string => typeof text === "string");
  return Array.isArray(edits) ? [...own, ...edits.flatMap(replacedTexts)] : own;
}

/** Capitals inside, an underscore or a digit: a name someone gave, not a word of a language. */
function isMixed(word: string): boolean {
  return /[a-z][A-Z]|[A-Z]{2,}[a-z]|[A-Za-z]_+[A-Za-z0-9]|[A-Za-z][0-9]/.test(word);
}

/** At least three digits, or a hash that has letters as well. */
function isTelling(number: string): boolean {
  const digits = number.replace(/\D/g, "").length;
  return digits >= 3 || (digits > 0 && /^[0-9a-f]{7,}$/.test(number));
}

function matches(text: string, pattern: RegExp): readonly string[] {
  return text.match(pattern) ?? [];
}
