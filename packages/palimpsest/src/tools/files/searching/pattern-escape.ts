import { ok, type Result } from "@palimpsest/core/spec";
import { refuseNewline, refusePattern } from "./refuse-pattern.ts";

export interface PatternPiece {
  readonly javascript: string;
  readonly rust: string;
}

export interface PieceRead {
  readonly piece: PatternPiece;
  readonly end: number;
  /** The character it stands for, where it is one. */
  readonly literal?: string;
}

const word = "[\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]";
const notWord = "[^\\p{Alphabetic}\\p{M}\\p{Nd}\\p{Pc}\\p{Join_Control}]";
const boundary = `(?:(?<=${word})(?!${word})|(?<!${word})(?=${word}))`;
const noBoundary = `(?:(?<=${word})(?=${word})|(?<!${word})(?!${word}))`;

/** Rust's names for sets of characters, and the same in JavaScript. */
const sets: Readonly<Record<string, string>> = {
  d: "\\p{Nd}",
  D: "\\P{Nd}",
  w: word,
  W: notWord,
  s: "\\p{White_Space}",
  S: "\\P{White_Space}",
};

const controls: Readonly<Record<string, string>> = {
  n: "\n",
  r: "\r",
  t: "\t",
  f: "\f",
  v: "\v",
  a: "\x07",
};

/** A character that means itself, in both notations, in a class or outside. */
export function escapeLiteral(literal: string): PatternPiece {
  if (/^[\p{L}\p{N}_]$/u.test(literal)) return { javascript: literal, rust: literal };
  const code = (literal.codePointAt(0) ?? 0).toString(16);
  return { javascript: `\\u{${code}}`, rust: `\\x{${code}}` };
}

/** Reads what begins with a backslash. */
export function readEscape(pattern: string, at: number, isMultiline: boolean): Result<PieceRead> {
  const char = pattern[at + 1];
  if (char === undefined)
    return refusePattern("it ends with a backslash", "Write \\\\ to mean the character.");
  const end = at + 2;
  if (char === "b") return ok({ piece: { javascript: boundary, rust: "\\b" }, end });
  if (char === "B") return ok({ piece: { javascript: noBoundary, rust: "\\B" }, end });
  const set = sets[char];
  if (set !== undefined) return ok({ piece: { javascript: set, rust: `\\${char}` }, end });
  if (char === "p" || char === "P") return readProperty(pattern, at);
  if (char === "x" || char === "u") return readCode(pattern, at);
  const control = controls[char];
  if (control === "\n" && !isMultiline) return refuseNewline();
  if (control !== undefined) return literalRead(control, end);
  if (/[1-9]/.test(char))
    return refusePattern(`\\${char} refers back to a group`, "Search for a wider pattern.");
  if (/[A-Za-z0<>]/.test(char)) {
    return refusePattern(
      `\\${char} is not known`,
      "Use ^, $ and \\b for places, or leave out the backslash.",
    );
  }
  const literal = String.fromCodePoint(pattern.codePointAt(at + 1) ?? 0);
  return literalRead(literal, at + 1 + literal.length);
}

function literalRead(literal: string, end: number): Result<PieceRead> {
  return ok({ piece: escapeLiteral(literal), end, literal });
}

function readCode(pattern: string, at: number): Result<PieceRead> {
  const found = /^\\(?:x([0-9A-Fa-f]{2})|u([0-9A-Fa-f]{4})|[xu]\{([0-9A-Fa-f]{1,6})\})/.exec(
    pattern.slice(at, at + 10),
  );
  const code = found ? Number.parseInt(found[1] ?? found[2] ?? found[3] ?? "", 16) : Number.NaN;
  const isScalar = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff);
  if (!found || !isScalar) return refusePattern("a character's code is wrong", "Write \\x41 or \\u{1F600}.");
  return literalRead(String.fromCodePoint(code), at + found[0].length);
}

function readProperty(pattern: string, at: number): Result<PieceRead> {
  const found = /^\\([pP])(?:\{(\w+)\}|([A-Z]))/.exec(pattern.slice(at, at + 60));
  const name = found?.[2] ?? found?.[3] ?? "";
  const forms = [`\\p{${name}}`, `\\p{Script=${name}}`];
  const form = forms.find(isProperty);
  if (!found || form === undefined) {
    return refusePattern(
      "a \\p names no known property of characters",
      "Use such as \\p{L}, \\p{Lu} or \\p{Greek}.",
    );
  }
  const javascript = found[1] === "P" ? form.replace("\\p", "\\P") : form;
  return ok({ piece: { javascript, rust: `\\${found[1]}{${name}}` }, end: at + found[0].length });
}

function isProperty(form: string): boolean {
  try {
    return new RegExp(form, "v") instanceof RegExp;
  } catch {
    return false;
  }
}
