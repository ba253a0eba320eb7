import { ok, type Result } from "@palimpsest/core/spec";
import { escapeLiteral, type PatternPiece, type PieceRead, readEscape } from "./pattern-escape.ts";
import { refuseNewline, refusePattern } from "./refuse-pattern.ts";

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
export function readClass(pattern: string, at: number, isMultiline: boolean): Result<PieceRead> {
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
