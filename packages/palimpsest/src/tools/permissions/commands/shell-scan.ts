import type { InputText, ShellCommand, ShellMemory } from "./shell-memory.ts";

/** Brackets in brackets, and texts of commands in texts. */
export const maxDepth = 40;

/** A text that is being read, and how far. */
export interface ShellScan {
  readonly text: string;
  at: number;
  readonly memory: ShellMemory;
  /** What the pattern, a sticky one, finds here. */
  match(pattern: RegExp): string | undefined;
  /** Reads commands up to the bracket that closes, or the end; gives what they put out together. */
  readList(close: ")" | undefined, fed: readonly InputText[], level: number): InputText;
  /** Reads another text, which this one holds; gives its commands, which are then known. */
  readInside(text: string, level: number): readonly ShellCommand[];
}
