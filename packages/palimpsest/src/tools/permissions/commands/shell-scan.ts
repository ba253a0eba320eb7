import type { InputText, ShellCommand, ShellMemory } from "./shell-memory.ts";

/** Brackets in brackets, and texts of commands in texts. */
export const maxDepth = 40;

/** A text that is being read, and how far. */
export interface ShellScan {
  readonly text: string;
  at: number;
  readonly memory: ShellMemory;
  /** The match of the pattern, a sticky one, here. */
  match(pattern: RegExp): string | undefined;
  /** Reads commands up to the bracket that closes, or the end; gives what they put out together. */
  readList(close: ")" | undefined, fed: readonly InputText[], level: number): InputText;
  /** Reads another text, which this one holds; gives its commands, which are then known. */
  readInside(text: string, level: number): readonly ShellCommand[];
}

const named: Readonly<Record<string, string>> = {
  a: "\x07",
  b: "\b",
  e: "\x1b",
  E: "\x1b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
  v: "\v",
};

const sequence =
  /\\(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|0?([0-7]{1,3})|c([\s\S])|([\s\S]))/g;

/** The text that `$'…'`, `echo -e` and `printf` make of one with backslashes. */
export function withoutEscapes(text: string): string {
  return text.replace(sequence, (_, x, u, wide, octal, control, other: string | undefined) => {
    const digits = x ?? u ?? wide;
    if (digits !== undefined) return character(Number.parseInt(digits, 16));
    if (octal !== undefined) return character(Number.parseInt(octal, 8));
    if (control !== undefined) return character(control.charCodeAt(0) & 31);
    return named[other ?? ""] ?? other ?? "";
  });
}

function character(code: number): string {
  return code <= 0x10ffff ? String.fromCodePoint(code) : "";
}
