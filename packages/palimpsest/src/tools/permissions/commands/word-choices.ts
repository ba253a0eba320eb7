import { anyCharacter, anyText, anyWords, isUnknown } from "./unknown-text.ts";

/** Marks inside a word that is being read: the end of a word in a value, and braces that no quote protects. */
export const wordEnd = "\ue003";
export const braceOpen = "\ue004";
export const braceComma = "\ue005";
export const braceClose = "\ue006";

const maxChoices = 32;
const maxBraces = 64;

/** The possible replacements of one written word: each choice is the words it becomes. */
export type WordChoices = readonly (readonly string[])[];

/** Each text behind each; where that is too much, nothing is known. */
export function joinChoices(before: readonly string[], behind: readonly string[]): readonly string[] {
  if (before.length * behind.length > maxChoices) return [anyWords];
  const joined = before.flatMap((one) => behind.map((other) => one + other));
  return joined.length === 1 ? joined : [...new Set(joined)];
}

/** A value outside quotes: apart at blanks, its stars and question marks names of files. */
export function unquotedValues(values: readonly string[], separators: readonly string[]): readonly string[] {
  const blanks = /[ \t\n]+/g;
  const own = separators.join("").replace(/[\\\]^-]/g, "\\$&");
  const splits = own.trim() === "" ? [blanks] : [blanks, new RegExp(`[${own} \t\n]+`, "g")];
  return [
    ...new Set(splits.flatMap((split) => values.map((value) => toGlob(value.replace(split, wordEnd))))),
  ];
}

function toGlob(value: string): string {
  return value.replace(/\[[^\]]+\]|\?/g, anyCharacter).replaceAll("*", anyText);
}

/** Takes a word with marks apart: braces give several words, and so do values with blanks. */
export function toWords(marked: string, isQuoted: boolean): readonly string[] {
  const words = expandBraces(marked)
    .flatMap((word) => word.split(wordEnd))
    .filter((word) => word !== "")
    .map((word) => (isUnknown(word) ? word : word.replaceAll(anyWords, anyText)));
  return words.length === 0 && isQuoted ? [""] : words;
}

/** The word as it was written, its braces left alone. */
export function toText(marked: string): string {
  return withoutBraceMarks(marked).replaceAll(wordEnd, " ").replaceAll(anyWords, anyText);
}

function withoutBraceMarks(marked: string): string {
  return marked.replaceAll(braceOpen, "{").replaceAll(braceComma, ",").replaceAll(braceClose, "}");
}

function expandBraces(marked: string): readonly string[] {
  if (!marked.includes(braceOpen)) return [withoutBraceMarks(marked)];
  const opened = marked.split(braceOpen).length - 1;
  if (opened > maxBraces) return [anyWords];
  const words = expand(marked);
  return words.length > maxBraces ? [anyWords] : words.map(withoutBraceMarks);
}

/** The innermost braces first: those hold no others. */
function expand(marked: string): readonly string[] {
  const close = marked.indexOf(braceClose);
  const open = close < 0 ? -1 : marked.lastIndexOf(braceOpen, close);
  if (close < 0) return [marked];
  if (open < 0) return expand(`${marked.slice(0, close)}}${marked.slice(close + 1)}`);
  const [before, inside, after] = [
    marked.slice(0, open),
    marked.slice(open + 1, close),
    marked.slice(close + 1),
  ];
  if (inside.includes(braceComma)) {
    const found: string[] = [];
    for (const option of inside.split(braceComma)) {
      if (found.length > maxBraces) return found;
      for (const one of expand(before + option + after)) found.push(one);
    }
    return found;
  }
  if (/^[^.]+\.\.[^.]+/.test(inside)) return expand(before + anyText + after);
  return expand(`${before}{${inside}}${after}`);
}
