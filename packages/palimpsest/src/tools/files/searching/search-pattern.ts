import { ok, type Result } from "@palimpsest/core/spec";
import { escapeLiteral, type PatternPiece, type PieceRead, readEscape } from "./pattern-escape.ts";
import { refuseNewline, refusePattern } from "./refuse-pattern.ts";

/** One regular expression in the two notations it is run in. */
export interface SearchPattern {
  readonly javascript: { readonly source: string; readonly flags: string };
  readonly rust: string;
}

export interface PatternOptions {
  readonly isCaseInsensitive: boolean;
  /** A dot matches line ends too, and the pattern may name them. */
  readonly isMultiline: boolean;
}

const maxPatternChars = 2_000;
const repetition = /[*+?]|\{\d+(?:,\d*)?\}/y;
const maxRepetitions = 1_000;

/**
 * Reads the dialect that both engines understand alike: no look-around, no references back to groups; classes know
 * Unicode; a line may end with CRLF. Braces that repeat nothing stand for themselves.
 */
export function readPattern(pattern: string, options: PatternOptions): Result<SearchPattern> {
  if (pattern === "") return refusePattern("it is empty", "Give what to look for.");
  if (pattern.length > maxPatternChars)
    return refusePattern("it is too long", `Use at most ${maxPatternChars} characters.`);
  const flags = /^\(\?([ims]+)\)/.exec(pattern);
  const isCaseInsensitive = options.isCaseInsensitive || flags?.[1]?.includes("i") === true;
  const pieces = readPieces(pattern, flags?.[0].length ?? 0, options.isMultiline);
  if (!pieces.ok) return pieces;
  const source = pieces.value.map(({ javascript }) => javascript).join("");
  const javascript = { source, flags: isCaseInsensitive ? "iv" : "v" };
  const rust = `${isCaseInsensitive ? "(?i)" : ""}${pieces.value.map(({ rust }) => rust).join("")}`;
  return isValid(javascript)
    ? ok({ javascript, rust })
    : refusePattern("it cannot be understood", "Check its brackets.");
}

function readPieces(pattern: string, from: number, isMultiline: boolean): Result<readonly PatternPiece[]> {
  const pieces: PatternPiece[] = [];
  let depth = 0;
  let canRepeat = false;
  for (let at = from; at < pattern.length; ) {
    const repeated =
      canRepeat || "*+?".includes(pattern[at] as string) ? readRepetition(pattern, at) : undefined;
    if (repeated !== undefined) {
      if (!canRepeat)
        return refusePattern(`${repeated} repeats nothing`, "Write \\ before it to mean the character.");
      if (isTooOften(repeated))
        return refusePattern(`${repeated} is too often`, `Use at most ${maxRepetitions}.`);
      pieces.push({ javascript: repeated, rust: repeated });
      at += repeated.length;
      canRepeat = false;
      continue;
    }
    const read = readPiece(pattern, at, isMultiline);
    if (!read.ok) return read;
    const { piece, end } = read.value;
    const char = pattern[at];
    if (char === "(") depth += 1;
    if (char === ")") depth -= 1;
    if (depth < 0) return refusePattern("a ) closes nothing", "Write \\) to mean the character.");
    canRepeat = !"(|^$".includes(char as string);
    pieces.push(piece);
    at = end;
  }
  return depth === 0 ? ok(pieces) : refusePattern("a ( is not closed", "Write \\( to mean the character.");
}

function readPiece(
  pattern: string,
  at: number,
  isMultiline: boolean,
): Result<{ readonly piece: PatternPiece; readonly end: number }> {
  const char = pattern[at] as string;
  const one = (piece: PatternPiece) => ok({ piece, end: at + 1 });
  switch (char) {
    case "\\":
      return readEscape(pattern, at, isMultiline);
    case "[":
      return readClass(pattern, at, isMultiline);
    case "(":
      return readGroup(pattern, at);
    case ")":
    case "|":
      return one({ javascript: char, rust: char });
    case ".":
      return one(
        isMultiline
          ? { javascript: "[\\s\\S]", rust: "(?s:.)" }
          : { javascript: "[^\\r\\n]", rust: "[^\\r\\n]" },
      );
    case "^":
      return one({ javascript: "(?:^|(?<=\\n))", rust: "(?m:^)" });
    case "$":
      return one({ javascript: "(?=\\r?(?:\\n|$))", rust: "(?:\\r?(?m:$))" });
    default: {
      const literal = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
      if (literal === "\n" && !isMultiline) return refuseNewline();
      return ok({ piece: escapeLiteral(literal), end: at + literal.length });
    }
  }
}

function readGroup(
  pattern: string,
  at: number,
): Result<{ readonly piece: PatternPiece; readonly end: number }> {
  const open = /\((?:\?(?::|P?<\w+>))?/y;
  open.lastIndex = at;
  const text = open.exec(pattern)?.[0] ?? "(";
  if (text === "(" && pattern[at + 1] === "?") {
    return refusePattern(
      `${pattern.slice(at, at + 4)} is not supported: there is no look-around, and flags only stand at the beginning`,
      "Search for a wider pattern and judge the lines found.",
    );
  }
  return ok({ piece: { javascript: "(?:", rust: "(?:" }, end: at + text.length });
}

function readRepetition(pattern: string, at: number): string | undefined {
  repetition.lastIndex = at;
  const found = repetition.exec(pattern)?.[0];
  if (found === undefined) return undefined;
  return pattern[at + found.length] === "?" ? `${found}?` : found;
}

function isTooOften(repeated: string): boolean {
  return (repeated.match(/\d+/g) ?? []).some((count) => Number(count) > maxRepetitions);
}

function isValid({ source, flags }: SearchPattern["javascript"]): boolean {
  try {
    return new RegExp(source, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

/** The named sets of POSIX, which are of ASCII. */
const named: Readonly<Record<string, string>> = {
  alnum: "0-9A-Za-z",
  alpha: "A-Za-z",
  blank: "\\t\\x20",
  cntrl: "\\x00-\\x1F\\x7F",
  digit: "0-9",
  graph: "\\x21-\\x7E",
  lower: "a-z",
  print: "\\x20-\\x7E",
  punct: "\\x21-\\x2F\\x3A-\\x40\\x5B-\\x60\\x7B-\\x7E",
  space: "\\t\\n\\v\\f\\r\\x20",
  upper: "A-Z",
  word: "0-9A-Za-z_",
  xdigit: "0-9A-Fa-f",
};

/** Reads a class such as `[^a-z_\d[:punct:]]`. Sets inside sets are not part of the dialect. */
function readClass(pattern: string, at: number, isMultiline: boolean): Result<PieceRead> {
  const isNegated = pattern[at + 1] === "^";
  const begin = at + (isNegated ? 2 : 1);
  const pieces: PatternPiece[] = [];
  let position = begin;
  while (pattern[position] !== "]" || position === begin) {
    if (position >= pattern.length)
      return refusePattern("a [ is not closed", "Write \\[ to mean the character.");
    const item = readItem(pattern, position, isMultiline);
    if (!item.ok) return item;
    pieces.push(item.value.piece);
    position = item.value.end;
  }
  const frame = (text: string) => `[${isNegated ? "^" : ""}${text}]`;
  const piece = {
    javascript: frame(pieces.map(({ javascript }) => javascript).join("")),
    rust: frame(pieces.map(({ rust }) => rust).join("")),
  };
  return ok({ piece, end: position + 1 });
}

/** One character, a range of them, or a set. */
function readItem(pattern: string, at: number, isMultiline: boolean): Result<PieceRead> {
  const posix = /^\[:(\w+):\]/.exec(pattern.slice(at, at + 12));
  const set = named[posix?.[1] ?? ""];
  if (posix && set !== undefined) {
    return ok({ piece: { javascript: set, rust: set }, end: at + posix[0].length });
  }
  const first = readMember(pattern, at, isMultiline);
  if (!first.ok || first.value.literal === undefined) return first;
  const hasRange =
    pattern[first.value.end] === "-" && !["]", undefined].includes(pattern[first.value.end + 1]);
  if (!hasRange) return first;
  const last = readMember(pattern, first.value.end + 1, isMultiline);
  if (!last.ok) return last;
  if (last.value.literal === undefined || !isInOrder(first.value.literal, last.value.literal)) {
    return refusePattern(
      "a range in a class is wrong",
      "Write the smaller character first, and \\- to mean the hyphen.",
    );
  }
  const join = (side: keyof PatternPiece) => `${first.value.piece[side]}-${last.value.piece[side]}`;
  return ok({ piece: { javascript: join("javascript"), rust: join("rust") }, end: last.value.end });
}

function isInOrder(first: string, last: string): boolean {
  return (first.codePointAt(0) ?? 0) <= (last.codePointAt(0) ?? 0);
}

function readMember(pattern: string, at: number, isMultiline: boolean): Result<PieceRead> {
  const literal = String.fromCodePoint(pattern.codePointAt(at) ?? 0);
  if (literal === "\\") {
    if ("bB".includes(pattern[at + 1] ?? ""))
      return refusePattern("\\b stands in a class", "Put it outside.");
    return readEscape(pattern, at, isMultiline);
  }
  const isOperator = ["&&", "--", "~~"].some((operator) => pattern.startsWith(operator, at));
  if (literal === "[" || isOperator) {
    return refusePattern("a class stands in a class", "Write \\ before the character to mean itself.");
  }
  if (literal === "\n" && !isMultiline) return refuseNewline();
  return ok({ piece: escapeLiteral(literal), end: at + literal.length, literal });
}
